package dev.postern.cli;

import picocli.CommandLine.Model.CommandSpec;

/// `worker run`: this very process becomes the worker, until it is told to end (WRK-1, WRK-4).
final class WorkerRunCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this,
                "run",
                "Run the worker in the foreground.",
                "SIGTERM or Ctrl-C lets calls in flight end, then ends it; a second one ends it at once.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withConfiguration((directory, ready) -> {
            ConfigurationText.warn(session.console(), ready.warnings());
            session.console().err().flush();
            var problem = session.services().worker().run(directory, ready, session.cancellation(), () -> {
                session.console().note("the worker of " + directory.path() + " takes commands.");
                session.console().err().flush();
            });
            return problem == null ? ExitCode.DONE : session.fail(problem);
        });
    }
}
