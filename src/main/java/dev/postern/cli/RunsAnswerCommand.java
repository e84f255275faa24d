package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.run.Approver.Verdict;
import picocli.CommandLine.Model.CommandSpec;

/// `runs approve ID` and `runs refuse ID`: the owner's word on a call that waits (APR-2).
final class RunsAnswerCommand implements Command {
    private static final String ALL = "--all";

    private final boolean yes;

    RunsAnswerCommand(boolean yes) {
        this.yes = yes;
    }

    @Override
    public CommandSpec spec() {
        var spec = Shapes.command(
                        this,
                        yes ? "approve" : "refuse",
                        yes ? "Approve a call that waits for you." : "Refuse a call that waits for you.")
                .addPositional(Shapes.required(0, "APPROVAL", "Its id, as `postern runs approvals` shows it."));
        return yes
                ? spec.addOption(Shapes.flag(ALL, "Approve all further calls of its tool in its run as well."))
                : spec;
    }

    @Override
    public int run(Line line, Session session) {
        Verdict verdict = !yes ? new Verdict.No() : line.has(ALL) ? new Verdict.YesForRun() : new Verdict.Yes();
        return session.withHost((host, inForce) -> {
            var id = line.value(0);
            if (!host.approvals().answer(id, verdict)) {
                return session.fail(new Problem(
                        ErrorCode.USAGE_UNKNOWN_RECORD,
                        "No call waits for the approval \"" + id + "\".",
                        "It was answered, has waited too long, or its run has ended; see `postern runs approvals`."));
            }
            if (session.console().json()) {
                session.console()
                        .json(JsonNodeFactory.instance
                                .objectNode()
                                .put("approvalId", id)
                                .put("approved", yes));
            } else {
                session.console().out().line((yes ? "Approved " : "Refused ") + id + ".");
            }
            return ExitCode.DONE;
        });
    }
}
