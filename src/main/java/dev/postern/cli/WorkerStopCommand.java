package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import picocli.CommandLine.Model.CommandSpec;

/// `worker stop`: calls in flight come to their end first (WRK-4).
final class WorkerStopCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this, "stop", "End the worker and its servers.", "Calls in flight come to their end first.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withDirectory(directory -> {
            Answer<Long> ended;
            try (var _ = session.console().progress("Waiting for the worker to end")) {
                ended = session.services().worker().stop(directory);
            }
            return switch (ended) {
                case Answer.Not<Long> not -> session.fail(not.problem());
                case Answer.Here<Long> here -> {
                    if (session.console().json()) {
                        session.console()
                                .json(JsonNodeFactory.instance.objectNode().put("pid", here.value()));
                    } else {
                        session.console().out().line("The worker has ended: process " + here.value() + ".");
                    }
                    yield ExitCode.DONE;
                }
            };
        });
    }
}
