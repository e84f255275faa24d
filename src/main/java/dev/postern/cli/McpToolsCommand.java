package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Folding;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Table;
import dev.postern.cli.render.Untrusted;
import dev.postern.host.Host;
import dev.postern.host.Host.OfferedTool;
import dev.postern.host.Host.ServerTools;
import java.util.ArrayList;
import picocli.CommandLine.Model.CommandSpec;

/// `mcp tools SERVER`: only the allowed tools, as a model gets them (CLI-2). Starts the server when needed.
final class McpToolsCommand implements Command {
    private static final String INDENT = "    ";

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "tools",
                        "Show the allowed tools of a server, as a model gets them.",
                        "Starts the server when needed.")
                .addPositional(Shapes.required(0, "SERVER", "The id of the server."))
                .addOption(Shapes.showStderr());
    }

    @Override
    public int run(Line line, Session session) {
        var server = line.value(0);
        boolean showStderr = line.has(Shapes.SHOW_STDERR);
        return session.withServer(server, (host, ready) -> {
            var answer = ask(session, host, server);
            int code = switch (answer) {
                case Answer.Here<ServerTools> here -> print(session.console(), here.value());
                case Answer.Not<ServerTools> not -> session.fail(StderrTail.withHint(not.problem(), showStderr));
            };
            if (showStderr) {
                StderrTail.show(session.console(), host, server);
            }
            return code;
        });
    }

    private static Answer<ServerTools> ask(Session session, Host host, String server) {
        try (var _ = session.console().progress("Asking server " + server + " for its tools")) {
            return session.orCancelled(host.tools(server, session.cancellation()));
        }
    }

    private static int print(Console console, ServerTools tools) {
        if (console.json()) {
            json(console, tools);
        } else {
            text(console, tools);
        }
        return ExitCode.DONE;
    }

    private static void json(Console console, ServerTools tools) {
        var object = JsonNodeFactory.instance.objectNode().put("server", tools.server());
        var offered = object.putArray("tools");
        for (var tool : tools.tools()) {
            var item = offered.addObject()
                    .put("name", tool.name())
                    .put("modelName", tool.modelName())
                    .put("description", tool.description());
            item.set("parameters", tool.parameters());
            item.set("inputSchema", tool.inputSchema());
            item.put("scheduled", tool.scheduled()).put("digest", tool.digest());
        }
        var excluded = object.putArray("excluded");
        for (var tool : tools.excluded()) {
            excluded.addObject()
                    .put("name", tool.name())
                    .put("code", tool.code())
                    .put("reason", tool.reason());
        }
        object.set("diagnostics", ServerText.problems(console, tools.diagnostics()));
        console.json(object);
    }

    private static void text(Console console, ServerTools tools) {
        var out = console.out();
        if (tools.tools().isEmpty()) {
            out.line("Server " + tools.server() + " offers no allowed tool.");
            out.line(console.hint("`postern mcp discover " + tools.server() + "` shows what it lists."));
        }
        boolean first = true;
        for (var tool : tools.tools()) {
            if (!first) {
                out.end();
            }
            first = false;
            tool(console, tool);
        }
        if (!tools.excluded().isEmpty()) {
            out.end().line("Allowed, but unfit to be offered:");
            var table = new Table("TOOL", "CODE", "REASON");
            tools.excluded().forEach(tool -> table.row(tool.name(), tool.code(), tool.reason()));
            table.print(out, console.width());
        }
        ServerText.diagnostics(console, tools.server(), tools.diagnostics());
    }

    private static void tool(Console console, OfferedTool tool) {
        var out = console.out();
        out.styled(Style.BOLD, Untrusted.line(tool.name()));
        out.line(tool.scheduled() ? "  (also in scheduled runs)" : "");
        int width = console.width() == 0 ? 0 : Math.max(20, console.width() - INDENT.length());
        for (var line : Folding.fold(Untrusted.line(tool.description()), width)) {
            out.line(INDENT + line);
        }
        out.line(INDENT + "arguments   " + Untrusted.line(arguments(tool.inputSchema())));
        out.line(INDENT + "for models  " + tool.modelName() + "(input: JSON text)");
        out.line(INDENT + "digest      " + tool.digest());
    }

    private static String arguments(JsonNode schema) {
        var required = new ArrayList<String>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        var arguments = new ArrayList<String>();
        for (var property : schema.path("properties").properties()) {
            var type = type(property.getValue());
            var optional = required.contains(property.getKey()) ? "" : "optional";
            var details = type.isEmpty() || optional.isEmpty() ? type + optional : type + ", " + optional;
            arguments.add(property.getKey() + (details.isEmpty() ? "" : " (" + details + ")"));
        }
        return arguments.isEmpty() ? "none" : String.join(", ", arguments);
    }

    private static String type(JsonNode schema) {
        var type = schema.path("type");
        if (type.isArray()) {
            var names = new ArrayList<String>();
            type.forEach(name -> names.add(name.asText()));
            return String.join(" or ", names);
        }
        return type.asText("");
    }
}
