package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Table;
import dev.postern.config.Config;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import dev.postern.host.Host.ServerStatus;
import dev.postern.secret.SecretRef;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import picocli.CommandLine.Model.CommandSpec;

/// `mcp servers`: what is configured (CLI-1). Starts nothing; prints references, never values, and neither
/// arguments nor whole addresses, where somebody may have put a secret all the same (SEC-6, SRV-5).
final class McpServersCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this, "servers", "Show the configured servers and what they may do.", "Starts no server.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withHost((host, inForce) -> {
            var console = session.console();
            var servers = host.status().servers();
            if (console.json()) {
                var items = JsonNodeFactory.instance.arrayNode();
                servers.forEach(server -> items.add(object(console, server, inForce.config())));
                console.json(ServerText.list(items));
            } else if (servers.isEmpty()) {
                NoServers.tell(session);
            } else {
                table(console, servers, inForce.config());
            }
            if (inForce.changed()) {
                ConfigurationText.tellChanged(console);
            }
            ConfigurationText.warn(console, inForce.warnings());
            return ExitCode.DONE;
        });
    }

    private static ObjectNode object(Console console, ServerStatus server, Config config) {
        var object = ServerText.object(console, server);
        object.set("allowed", ServerText.strings(server.allowed()));
        var entry = config.server(server.id());
        if (entry != null) {
            object.put("approval", entry.approval().name().toLowerCase(Locale.ROOT));
            launch(object, entry.launch());
        }
        return object;
    }

    private static void launch(ObjectNode object, Launch launch) {
        switch (launch) {
            case Launch.Stdio stdio -> {
                object.put("command", stdio.command());
                object.put("argumentCount", stdio.args().size());
                object.put("cwd", stdio.cwd() == null ? null : stdio.cwd().toString());
                object.set("environment", references(stdio.environment()));
            }
            case Launch.Remote remote -> {
                object.put("transport", remote.type().key());
                object.put("host", remote.url().getHost());
                object.set("headers", references(remote.headers()));
            }
        }
    }

    private static ObjectNode references(SortedMap<String, SecretRef> references) {
        var object = JsonNodeFactory.instance.objectNode();
        references.forEach((name, reference) -> object.put(name, reference.describe()));
        return object;
    }

    private static void table(Console console, List<ServerStatus> servers, Config config) {
        var table = new Table("SERVER", "ENABLED", "STATE", "ALLOWED TOOLS", "SCHEDULED", "APPROVAL", "STARTED BY");
        for (var server : servers) {
            var entry = config.server(server.id());
            table.row(
                    server.id(),
                    ServerText.yes(server.enabled()),
                    server.state(),
                    ServerText.names(server.allowed()),
                    ServerText.names(server.scheduledTools()),
                    entry == null ? "-" : entry.approval().name().toLowerCase(Locale.ROOT),
                    entry == null ? "-" : startedBy(entry));
        }
        table.print(console.out(), console.width());
        for (var server : servers) {
            var entry = config.server(server.id());
            if (entry != null) {
                environment(console, entry);
            }
        }
        ServerText.diagnostics(console, servers);
    }

    private static String startedBy(ServerEntry entry) {
        return switch (entry.launch()) {
            case Launch.Stdio stdio -> {
                int count = stdio.args().size();
                yield stdio.command() + (count == 0 ? "" : count == 1 ? " (1 argument)" : " (" + count + " arguments)");
            }
            case Launch.Remote remote ->
                remote.type().key() + " " + remote.url().getHost();
        };
    }

    private static void environment(Console console, ServerEntry entry) {
        var references = switch (entry.launch()) {
            case Launch.Stdio stdio -> stdio.environment();
            case Launch.Remote remote -> remote.headers();
        };
        references.forEach((name, reference) -> console.out()
                .styled(Style.DIM, entry.id() + " gets " + name + " from " + origin(reference))
                .end());
    }

    private static String origin(SecretRef reference) {
        return reference instanceof SecretRef.Literal ? "config.json itself" : reference.describe();
    }
}
