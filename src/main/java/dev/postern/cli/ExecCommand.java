package dev.postern.cli;

import picocli.CommandLine.Model.CommandSpec;

/// `exec --prompt TEXT`: one task for the model, without a session (RUN-4).
final class ExecCommand implements Command {
    private static final String PROMPT = "--prompt";

    @Override
    public CommandSpec spec() {
        var prompt = Shapes.valued(PROMPT, "TEXT", "What the model is to do; - reads it from standard input.");
        return AgentShapes.addOptions(Shapes.command(
                        this,
                        "exec",
                        "Have the model do one task, outside of any session.",
                        "Its answer streams to standard output; what it calls is shown on standard error.")
                .addOption(prompt.toBuilder().required(true).build()));
    }

    @Override
    public int run(Line line, Session session) {
        var prompt = line.option(PROMPT);
        return AgentCommand.run(line, session, prompt == null ? "" : prompt, null);
    }
}
