package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Table;
import dev.postern.cli.render.Untrusted;
import dev.postern.host.Host;
import dev.postern.host.Host.ListedTool;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// `mcp discover SERVER`: every tool the server lists and whether it is allowed, for deciding what to allow
/// (CLI-2).
final class McpDiscoverCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "discover",
                        "Show every tool that a server lists, and which are allowed.",
                        "Starts the server when needed. Calls no tool.")
                .addPositional(Shapes.required(0, "SERVER", "The id of the server."))
                .addOption(Shapes.showStderr());
    }

    @Override
    public int run(Line line, Session session) {
        var server = line.value(0);
        boolean showStderr = line.has(Shapes.SHOW_STDERR);
        return session.withServer(server, (host, inForce) -> {
            int code = switch (ask(session, host, server)) {
                case Answer.Here<List<ListedTool>> here -> {
                    var entry = inForce.config().server(server);
                    yield print(session.console(), server, here.value(), entry == null ? List.of() : entry.tools());
                }
                case Answer.Not<List<ListedTool>> not -> session.fail(StderrTail.withHint(not.problem(), showStderr));
            };
            if (showStderr) {
                StderrTail.show(session.console(), host, server);
            }
            return code;
        });
    }

    private static Answer<List<ListedTool>> ask(Session session, Host host, String server) {
        try (var _ = session.console().progress("Asking server " + server + " for its tools")) {
            return session.orCancelled(host.discover(server, session.cancellation()));
        }
    }

    private static int print(Console console, String server, List<ListedTool> tools, List<String> allowed) {
        if (console.json()) {
            var items = JsonNodeFactory.instance.arrayNode();
            for (var tool : tools) {
                var item = items.addObject()
                        .put("name", tool.name())
                        .put("description", tool.description())
                        .put("allowed", tool.allowed())
                        .put("scheduled", tool.scheduled());
                if (tool.excluded() == null) {
                    item.putNull("excluded");
                } else {
                    item.putObject("excluded")
                            .put("code", tool.excluded().code())
                            .put("reason", tool.excluded().reason());
                }
            }
            console.json(ServerText.list(items));
            return ExitCode.DONE;
        }
        if (tools.isEmpty()) {
            console.out().line("Server " + server + " lists no tools.");
            unlisted(console, server, tools, allowed);
            return ExitCode.DONE;
        }
        table(console, tools);
        unlisted(console, server, tools, allowed);
        console.out()
                .end()
                .line("To allow a tool, add its exact name to \"tools\" of server " + server + " in config.json.");
        return ExitCode.DONE;
    }

    /// Names in `tools` that the server does not list: mistyped, or gone (CAT-2).
    private static void unlisted(Console console, String server, List<ListedTool> tools, List<String> allowed) {
        var missing = new ArrayList<>(allowed);
        tools.forEach(tool -> missing.remove(tool.name()));
        if (!missing.isEmpty()) {
            console.out()
                    .end()
                    .styled(Style.WARN, "Allowed, but not listed by server " + server + ": ")
                    .line(Untrusted.line(String.join(", ", missing)) + ".");
        }
    }

    static void table(Console console, List<ListedTool> tools) {
        var table = new Table("TOOL", "ALLOWED", "SCHEDULED", "DESCRIPTION");
        for (var tool : tools) {
            table.row(tool.name(), allowed(tool), ServerText.yes(tool.scheduled()), tool.description());
        }
        table.print(console.out(), console.width());
    }

    private static String allowed(ListedTool tool) {
        if (tool.excluded() != null) {
            return "unfit: " + tool.excluded().reason();
        }
        return ServerText.yes(tool.allowed());
    }
}
