package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.Session.InForce;
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
    static @Nullable Problem mistakeIn(AllowedTool tool, InForce inForce) {
        boolean ours = tool.server().equals(BuiltinSource.ID);
        var server = inForce.config().server(tool.server());
        if (!ours && server == null) {
            return inForce.unknown(tool.server());
        }
        var names = server == null ? BuiltinSource.toolNames() : server.tools();
        if (names.contains(tool.tool())) {
            return null;
        }
        return new Problem(
                ErrorCode.USAGE,
                ALLOW + " names the tool \"" + tool.tool() + "\", which "
                        + (ours
                                ? "is none of Postern's own"
                                : "is not in \"tools\" of the server \"" + tool.server() + "\"")
                        + ".",
                names.isEmpty() ? "That list is empty." : "It has: " + String.join(", ", names) + ".");
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
