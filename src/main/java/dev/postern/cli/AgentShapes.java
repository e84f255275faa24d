package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.config.Config;
import dev.postern.run.RunOrder.AllowedTool;
import dev.postern.run.builtin.BuiltinSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Options of the commands that start runs of agents.
final class AgentShapes {
    static final String ALLOW = "--allow";
    static final String WAIT = "--wait-for-approval";

    private AgentShapes() {}

    static CommandSpec addOptions(CommandSpec spec) {
        return spec.addOption(OptionSpec.builder(ALLOW)
                        .arity("1")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel("SERVER/TOOL")
                        .description("Approve every call of this tool in this run. May be given several times.")
                        .build())
                .addOption(Shapes.flag(
                        WAIT,
                        "Without a terminal: let calls that need approval wait up to 5 minutes for"
                                + " `postern runs approve`."));
    }

    /// What is wrong with a tool that `--allow` names, null when it could be called: a slip of the pen should not
    /// show only when the model calls the tool that was meant.
    static @Nullable Problem mistakeIn(AllowedTool tool, Config config) {
        if (tool.server().equals(BuiltinSource.ID)) {
            return null;
        }
        var server = config.server(tool.server());
        if (server == null) {
            return config.unknown(tool.server(), "config.json");
        }
        return server.tools().contains(tool.tool())
                ? null
                : new Problem(
                        ErrorCode.USAGE,
                        ALLOW + " names the tool \"" + tool.tool() + "\", which is not in \"tools\" of the server \""
                                + tool.server() + "\".",
                        "Only what config.json allows can be approved; see `postern mcp discover " + tool.server()
                                + "`.");
    }

    static PositionalParamSpec text(int index) {
        return Shapes.required(index, "TEXT", "What to say to the model; - reads it from standard input.");
    }

    static PositionalParamSpec session(int index) {
        return Shapes.required(index, "SESSION", "The id of the session, or a beginning that only it has.");
    }

    /// The tools that `--allow` names.
    static Answer<Set<AllowedTool>> allowed(Line line) {
        var tools = new HashSet<AllowedTool>();
        for (var text : line.options(ALLOW)) {
            int slash = text.indexOf('/');
            if (slash <= 0 || slash == text.length() - 1) {
                return new Answer.Not<>(new Problem(
                        ErrorCode.USAGE,
                        ALLOW + " \"" + text + "\" is not of the form SERVER/TOOL.",
                        "Give the server's id, a slash, and the exact name of the tool, such as files/read_file."));
            }
            tools.add(new AllowedTool(text.substring(0, slash), text.substring(slash + 1)));
        }
        return new Answer.Here<>(tools);
    }
}
