package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.cli.render.Console;
import dev.postern.datadir.DataDirectory;
import picocli.CommandLine.Model.CommandSpec;

/// `worker start`, and `worker restart`, which ends a running one first. Returns when the worker answers, or
/// says why it does not (WRK-1).
final class WorkerStartCommand implements Command {
    private final boolean again;

    WorkerStartCommand(boolean again) {
        this.again = again;
    }

    @Override
    public CommandSpec spec() {
        return again
                ? Shapes.command(
                        this, "restart", "End the worker and start it anew.", "It reads config.json when it starts.")
                : Shapes.command(
                        this,
                        "start",
                        "Start the worker in the background.",
                        "It has this command's environment, and none of its terminal. Nothing to do when one runs.");
    }

    @Override
    public int run(Line line, Session session) {
        // A configuration that can't be read must neither end a worker that runs nor be told by one that could not
        // start.
        return session.withConfiguration((directory, accepted) -> {
            if (again
                    && stop(session, directory) instanceof Answer.Not<Long> not
                    && not.problem().code() != ErrorCode.WORKER_ABSENT) {
                return session.fail(not.problem());
            }
            return switch (start(session, directory)) {
                case Answer.Here<Worker.Started> here -> tell(session.console(), here.value());
                case Answer.Not<Worker.Started> not -> session.fail(not.problem());
            };
        });
    }

    private static Answer<Long> stop(Session session, DataDirectory directory) {
        try (var _ = session.console().progress("Waiting for the worker to end")) {
            return session.services().worker().stop(directory);
        }
    }

    private static Answer<Worker.Started> start(Session session, DataDirectory directory) {
        try (var _ = session.console().progress("Starting the worker")) {
            return session.services().worker().start(directory);
        }
    }

    private static int tell(Console console, Worker.Started started) {
        if (console.json()) {
            console.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("pid", started.pid())
                    .put("started", !started.already()));
        } else {
            console.out()
                    .line(
                            started.already()
                                    ? "The worker runs already: process " + started.pid() + "."
                                    : "The worker runs: process " + started.pid() + ".");
        }
        return ExitCode.DONE;
    }
}
