package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;

/// `completion bash|zsh|fish`: a script for the shell to load (CLI-7).
final class CompletionCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "completion",
                        "Print a completion script for bash, zsh or fish.",
                        "bash: `source <(postern completion bash)`. zsh: `source <(postern completion zsh)` after"
                                + " compinit. fish: `postern completion fish | source`.")
                .addPositional(Shapes.requiredOneOf(0, "SHELL", "bash, zsh or fish.", List.of("bash", "zsh", "fish")));
    }

    @Override
    public int run(Line line, Session session) {
        var shell = line.value(0);
        String script;
        switch (shell) {
            case "bash", "zsh" -> script = AutoComplete.bash("postern", Commands.all(0));
            case "fish" -> script = FishCompletion.script(Commands.all(0).getCommandSpec());
            default -> {
                return session.fail(new Problem(
                        ErrorCode.USAGE,
                        "There is no completion for '" + shell + "'.",
                        "Use `postern completion bash`, `zsh` or `fish`."));
            }
        }
        if (session.console().json()) {
            session.console()
                    .json(JsonNodeFactory.instance
                            .objectNode()
                            .put("shell", shell)
                            .put("script", script));
        } else {
            session.console().out().text(script);
        }
        return ExitCode.DONE;
    }
}
