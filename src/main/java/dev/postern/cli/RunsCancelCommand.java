package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.host.Records.RunRecord;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `runs cancel RUN`: ends a run of the worker as Ctrl-C would (RUN-6).
final class RunsCancelCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "cancel", "Cancel a run that goes on in the worker.")
                .addPositional(Shapes.required(0, "RUN", "The id of the run, or a beginning that only it has."));
    }

    @Override
    public int run(Line line, Session session) {
        var mistake = RecordId.RUN.mistakeIn(line.value(0));
        if (mistake != null) {
            return session.fail(mistake);
        }
        var found = new AtomicReference<@Nullable RunRecord>();
        int code = session.withRecords(records -> switch (records.run(line.value(0))) {
            case Answer.Not<RunRecord> not -> session.fail(not.problem());
            case Answer.Here<RunRecord> run -> {
                found.set(run.value());
                yield ExitCode.DONE;
            }
        });
        var run = found.get();
        return run == null
                ? code
                : session.withHost((host, inForce) -> {
                    var summary = run.summary();
                    if (summary.state() != null || !host.cancelRun(summary.id())) {
                        return session.fail(notHere(run));
                    }
                    if (session.console().json()) {
                        session.console()
                                .json(JsonNodeFactory.instance
                                        .objectNode()
                                        .put("runId", summary.id())
                                        .put("cancelled", true));
                    } else {
                        session.console().out().line("Cancelling " + summary.id() + ".");
                    }
                    return ExitCode.DONE;
                });
    }

    private static Problem notHere(RunRecord run) {
        var summary = run.summary();
        return summary.state() != null
                ? new Problem(
                        ErrorCode.USAGE_UNKNOWN_RECORD,
                        "The run " + summary.id() + " has ended: " + summary.state() + ".",
                        "There is nothing to cancel.")
                : new Problem(
                        ErrorCode.WORKER_ABSENT,
                        "The run " + summary.id() + " goes on in another process, not in the worker.",
                        "Press Ctrl-C where it was started.");
    }
}
