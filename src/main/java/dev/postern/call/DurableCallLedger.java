package dev.postern.call;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import dev.postern.base.Threads;
import dev.postern.policy.Mode;
import dev.postern.store.CallEnd;
import dev.postern.store.CallStart;
import dev.postern.store.LazyStore;
import dev.postern.store.StoreException;
import dev.postern.wire.StrictJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Records calls in the data directory's database: what it has returned from survives the end of this process and
/// of the machine (CAL-4). It is opened when the first call begins, not before.
public final class DurableCallLedger implements CallLedger {
    private final LazyStore store;
    /// For a process that runs for long. Looking costs a query.
    private static final Duration BETWEEN_PRUNINGS = Duration.ofHours(1);

    private final Retention retention;
    private final AtomicReference<@Nullable Instant> looked = new AtomicReference<>();

    /// @param retention what is kept; the rest is dropped every hour in which calls are made, and in passing when
    ///     this closes (STO-2)
    public DurableCallLedger(LazyStore store, Retention retention) {
        this.store = store;
        this.retention = retention;
    }

    @Override
    public void prepare() {
        store.begin();
    }

    @Override
    public void intend(CallIntent intent) throws LedgerException {
        try {
            store.get()
                    .intend(
                            start(intent.call()),
                            new CallStart.Intent(
                                    intent.toolDigest(), intent.arguments(), intent.argumentBytes(), intent.at()));
        } catch (StoreException e) {
            throw new LedgerException(e.problem(), e);
        }
    }

    @Override
    public void settle(CallSettlement settlement) throws LedgerException {
        try {
            store.get().settle(start(settlement.call()), end(settlement));
        } catch (StoreException e) {
            throw new LedgerException(e.problem(), e);
        }
        if (pruningIsDue(settlement.at())) {
            Threads.virtual("postern-prune", this::prune);
        }
    }

    private boolean pruningIsDue(Instant now) {
        var last = looked.get();
        boolean due = last != null && now.isAfter(last.plus(BETWEEN_PRUNINGS));
        return (last == null || due) && looked.compareAndSet(last, now) && due;
    }

    /// In small steps, between which calls are recorded.
    private void prune() {
        try {
            var _ = store.get().prune(retention);
        } catch (StoreException e) {
            // It is full, damaged or closed, as the next call finds out by itself.
        }
    }

    @Override
    public void close() {
        var open = store.ifOpen();
        if (open != null) {
            try {
                open.pruneInPassing(retention);
            } catch (StoreException e) {
                // The next command tries again; this one has done what it came for.
            }
        }
        store.close();
    }

    private static CallStart start(CallHead call) {
        return new CallStart(
                call.callId(),
                call.run().id(),
                trigger(call.mode()),
                call.mode().name().toLowerCase(Locale.ROOT),
                new CallStart.What(call.server(), call.tool(), call.modelName()),
                call.begun());
    }

    private static String trigger(Mode mode) {
        return switch (mode) {
            case CHAT, COMMAND -> "cli";
            case API -> "api";
            case SCHEDULED -> "schedule";
        };
    }

    private static CallEnd end(CallSettlement settlement) {
        var outcome = settlement.outcome();
        var problem = problem(outcome);
        return new CallEnd(
                settlement.sent(),
                settlement.at(),
                settlement.durationMillis(),
                outcome.word(),
                settlement.call().run().own() ? runState(problem) : null,
                problem == null ? null : new CallEnd.Trouble(problem.code().code(), problem.message(), problem.next()),
                result(outcome));
    }

    private static @Nullable Problem problem(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> null;
            case Outcome.Failed failed -> failed.problem();
            case Outcome.Refused refused -> refused.problem();
            case Outcome.NotSent notSent -> notSent.problem();
            case Outcome.Unknown unknown -> unknown.problem();
        };
    }

    /// A run that could not do all it was asked for is not completed.
    private static String runState(@Nullable Problem problem) {
        if (problem == null) {
            return "completed";
        }
        boolean cancelled = problem.code() == ErrorCode.CANCELLED || problem.code() == ErrorCode.UNKNOWN_CANCELLED;
        return cancelled ? "cancelled" : "failed";
    }

    private static CallEnd.@Nullable Result result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> result(succeeded.result());
            case Outcome.Failed failed -> result(failed.result());
            case Outcome.Refused _ -> null;
            case Outcome.NotSent _ -> null;
            case Outcome.Unknown _ -> null;
        };
    }

    private static CallEnd.Result result(ToolResult result) {
        var omitted = JsonNodeFactory.instance.objectNode();
        result.omittedContent().forEach(omitted::put);
        return new CallEnd.Result(
                StrictJson.text(result.content()),
                result.structuredContent() == null ? null : StrictJson.text(result.structuredContent()),
                result.truncated(),
                StrictJson.text(omitted),
                result.omittedStructuredContent(),
                result.redacted());
    }
}
