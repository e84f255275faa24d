package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.CheckedCall;
import dev.postern.call.Consent;
import dev.postern.run.Approver.Question;
import dev.postern.run.Approver.Verdict;
import dev.postern.run.RunOrder.AllowedTool;
import dev.postern.store.StoreException;
import dev.postern.wire.StrictJson;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the owner has approved in one run (APR-1, APR-2): tools that the command named, calls that were asked
/// about, and tools whose further calls the owner let pass. Every question and every word is recorded. Confined
/// to the run's thread, but for [#consent].
final class Approvals {
    /// As the API promises (APR-2). A terminal waits as long.
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private final RunSetting setting;
    private final Approver approver;
    private final RunRecorder recorder;
    private final Set<AllowedTool> tools;
    private volatile Set<String> approvedCalls = Set.of();

    Approvals(RunSetting setting, Approver approver, RunRecorder recorder) {
        this.setting = setting;
        this.approver = approver;
        this.recorder = recorder;
        this.tools = new HashSet<>(setting.order().allowed());
    }

    /// A call that the owner did not approve.
    record No(CheckedCall call, Problem why) {}

    /// Asks about every call that needs it, one after the other, up to the first no.
    ///
    /// @return the first that was not approved, null when all were
    @Nullable
    No ask(List<CheckedCall> calls, Cancellation cancellation) throws StoreException {
        var approved = new HashSet<String>();
        for (var call : calls) {
            var arguments = call.arguments();
            if (!call.asks() || arguments == null) {
                continue;
            }
            var tool = new AllowedTool(call.server(), call.tool());
            if (!tools.contains(tool)) {
                var no = ask(call, tool, arguments, cancellation);
                if (no != null) {
                    return new No(call, no);
                }
            }
            approved.add(call.callId());
        }
        approvedCalls = Set.copyOf(approved);
        return null;
    }

    Consent consent(CheckedCall call) {
        return approvedCalls.contains(call.callId()) ? Consent.GIVEN : Consent.NOT_GIVEN;
    }

    private @Nullable Problem ask(CheckedCall call, AllowedTool tool, ObjectNode arguments, Cancellation cancellation)
            throws StoreException {
        JsonNode shown = setting.redacted(arguments);
        var question =
                new Question(setting.ids().approval(), setting.runId(), call.server(), call.tool(), shown, PATIENCE);
        recorder.question(question, StrictJson.text(shown));
        return switch (approver.ask(question, cancellation)) {
            case Verdict.Yes _ -> {
                recorder.word(question, "approved");
                yield null;
            }
            case Verdict.YesForRun _ -> {
                recorder.word(question, "approved-for-run");
                tools.add(tool);
                yield null;
            }
            case Verdict.No _ -> {
                recorder.word(question, "refused");
                yield refused(tool, "The owner did not approve");
            }
            case Verdict.Silence _ -> {
                recorder.word(question, "expired");
                yield refused(tool, "The owner was asked in vain about");
            }
            case Verdict.Nobody nobody -> {
                recorder.word(question, "refused");
                yield nobody.why();
            }
        };
    }

    private static Problem refused(AllowedTool tool, String what) {
        return new Problem(
                ErrorCode.POLICY_APPROVAL,
                what + " this call of the tool \"" + tool.tool() + "\" of the server \"" + tool.server()
                        + "\". Nothing was sent.",
                "Allow it in advance with --allow " + tool.server() + "/" + tool.tool() + ".");
    }
}
