package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import dev.postern.cli.render.Untrusted;
import dev.postern.host.Host.Contained;
import dev.postern.host.Host.Status;
import picocli.CommandLine.Model.CommandSpec;

/// `mcp status`: what is live (CLI-1). Starts nothing. Tools that nobody has discovered yet are unknown,
/// which is not the same as none.
final class McpStatusCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "status", "Show the state of the servers and their tools.", "Starts no server.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withHost((host, inForce) -> {
            var console = session.console();
            var status = host.status();
            boolean changed = inForce.changed();
            if (console.json()) {
                json(console, status, changed);
            } else if (status.servers().isEmpty()) {
                NoServers.tell(session);
            } else {
                table(console, status);
            }
            if (changed) {
                ConfigurationText.tellChanged(console);
            }
            ConfigurationText.warn(console, inForce.warnings());
            return ExitCode.DONE;
        });
    }

    private static void json(Console console, Status status, boolean changed) {
        var object = JsonNodeFactory.instance
                .objectNode()
                .put("owner", status.owner())
                .put("ownerPid", status.ownerPid())
                .put("configChanged", changed);
        object.set("containment", ServerText.containment(status.containment()));
        var servers = object.putArray("servers");
        status.servers().forEach(server -> servers.add(ServerText.object(console, server)));
        console.json(object);
    }

    private static String owner(Status status) {
        return status.ownerPid() == null ? status.owner() : status.owner() + ", process " + status.ownerPid();
    }

    private static void table(Console console, Status status) {
        var table = new Table("SERVER", "STATE", "PID", "PROTOCOL", "CONTAINED", "TOOLS", "SCHEDULED");
        for (var server : status.servers()) {
            table.row(
                    server.id(),
                    server.state(),
                    ServerText.known(server.pid()),
                    ServerText.known(server.protocol()),
                    server.containment() == null ? "-" : server.containment().kind(),
                    server.tools() == null ? "unknown" : ServerText.names(server.tools()),
                    ServerText.names(server.scheduledTools()));
        }
        table.print(console.out(), console.width());
        console.out().end();
        for (var server : status.servers()) {
            if (server.tools() == null && server.enabled()) {
                console.out().line(server.id() + ": its tools are unknown until it was started once.");
            } else if (server.discoveredAt() != null) {
                console.out().line(server.id() + ": its tools as of " + ServerText.time(server.discoveredAt()) + ".");
            }
        }
        console.out().line("Owner: " + owner(status) + ".");
        containment(console, status.containment());
        ServerText.diagnostics(console, status.servers());
    }

    /// What the next server would get. What runs has its own in the table.
    private static void containment(Console console, Contained containment) {
        console.out().line("Containment: " + containment.kind() + ".");
        if (containment.remedy() != null) {
            console.out().line("  " + Untrusted.line(containment.remedy()));
        }
    }
}
