package dev.postern.cli;

import dev.postern.run.RunOrder;
import picocli.CommandLine.Model.CommandSpec;

/// `chat new TEXT`: a new session with a model (RUN-4).
final class ChatNewCommand implements Command {
    @Override
    public CommandSpec spec() {
        return AgentShapes.addOptions(Shapes.command(
                        this,
                        "new",
                        "Begin a session with the model, which may use the allowed tools.",
                        "Its answer streams to standard output; what it calls is shown on standard error.")
                .addPositional(AgentShapes.text(0)));
    }

    @Override
    public int run(Line line, Session session) {
        return AgentCommand.run(line, session, line.value(0), new RunOrder.Session.New());
    }
}
