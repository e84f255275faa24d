package dev.postern.call;

import dev.postern.base.ErrorCode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records kept in memory, the newest [#CAPACITY] of them: they end with the process.
public final class MemoryCallLedger implements CallLedger {
    /// More than one command or test makes; bounds the memory of a host that runs for long.
    static final int CAPACITY = 1_000;

    private final Deque<Entry> entries = new ArrayDeque<>();

    /// One record, in the order of writing.
    public sealed interface Entry {
        record Intended(CallIntent intent) implements Entry {}

        /// Says how a call ended and keeps nothing of what a server answered, which may be a mebibyte a call.
        ///
        /// @param word see [Outcome#word]
        /// @param code null when the call succeeded
        record Settled(
                String callId,
                String server,
                String tool,
                String word,
                @Nullable ErrorCode code,
                Instant at) implements Entry {}
    }

    @Override
    public void intend(CallIntent intent) {
        add(new Entry.Intended(intent));
    }

    @Override
    public void settle(CallSettlement settlement) {
        var call = settlement.call();
        var outcome = settlement.outcome();
        add(new Entry.Settled(
                call.callId(), call.server(), call.tool(), outcome.word(), code(outcome), settlement.at()));
    }

    /// A copy, oldest first.
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    private static @Nullable ErrorCode code(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> null;
            case Outcome.Failed failed -> failed.problem().code();
            case Outcome.Refused refused -> refused.problem().code();
            case Outcome.NotSent notSent -> notSent.problem().code();
            case Outcome.Unknown unknown -> unknown.problem().code();
        };
    }

    private synchronized void add(Entry entry) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        entries.addLast(entry);
    }
}
