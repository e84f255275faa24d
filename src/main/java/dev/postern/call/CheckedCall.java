package dev.postern.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Problem;
import dev.postern.base.Stopwatch;
import dev.postern.catalog.Tool;
import dev.postern.policy.Decision;
import dev.postern.server.Connected;
import dev.postern.server.ToolSource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A call that was decided and checked, and of which nothing was sent yet. Ended by exactly one
/// [CallService#send] or [CallService#refuse]. Confined to one thread at a time.
public final class CheckedCall {
    private final CallHead head;
    private final Stopwatch watch;
    private final Verdict verdict;
    private @Nullable Instant sent;

    /// What the check came to.
    sealed interface Verdict {
        /// It goes no further.
        record Stopped(Outcome outcome) implements Verdict {}

        /// It can be sent; when `decision` asks, only with the owner's consent.
        record Passed(ToolSource source, Connected connected, Tool tool, ObjectNode arguments, Decision decision)
                implements Verdict {}
    }

    CheckedCall(CallHead head, Stopwatch watch, Verdict verdict) {
        this.head = head;
        this.watch = watch;
        this.verdict = verdict;
    }

    CallHead head() {
        return head;
    }

    Verdict verdict() {
        return verdict;
    }

    long millis() {
        return watch.millis();
    }

    void sent(Instant at) {
        sent = at;
    }

    @Nullable
    Instant sent() {
        return sent;
    }

    public String callId() {
        return head.callId();
    }

    public String server() {
        return head.server();
    }

    public String tool() {
        return head.tool();
    }

    /// Why it is refused, null when it isn't.
    public @Nullable Problem refusal() {
        return verdict instanceof Verdict.Stopped(Outcome.Refused refused) ? refused.problem() : null;
    }

    /// The owner has to approve this very call (APR-1).
    public boolean asks() {
        return verdict instanceof Verdict.Passed passed && passed.decision() instanceof Decision.Ask;
    }

    /// What would be sent; null when it goes no further.
    public @Nullable ObjectNode arguments() {
        return verdict instanceof Verdict.Passed passed ? passed.arguments() : null;
    }

    /// It may be in flight together with others of its server (SRV-1).
    public boolean parallel() {
        return verdict instanceof Verdict.Passed passed
                && passed.source().gate().parallel();
    }
}
