package dev.postern.server;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Lets one call at a time into a server that isn't `parallel` (SRV-1), in the order of arrival; the others
/// wait, each no longer than its own deadline and its caller's patience. Safe for use by many threads.
public final class CallGate {
    private final boolean parallel;
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private boolean taken;

    public CallGate(boolean parallel) {
        this.parallel = parallel;
    }

    /// Everybody goes in at once.
    public boolean parallel() {
        return parallel;
    }

    /// Whether the caller is in. Every `true` is followed by one [#leave].
    public boolean enter(Deadline deadline, Cancellation cancellation) {
        if (parallel) {
            return true;
        }
        var turn = new Turn();
        synchronized (this) {
            if (!taken) {
                taken = true;
                return true;
            }
            waiting.addLast(turn);
        }
        var come = turn.come.completeOnTimeout(false, deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        try (var registration = cancellation.listen(() -> come.complete(false))) {
            boolean in = come.join();
            if (!in) {
                forget(turn);
            }
            return in;
        }
    }

    /// The caller's call has settled: the next one goes in.
    public void leave() {
        if (parallel) {
            return;
        }
        synchronized (this) {
            var next = waiting.pollFirst();
            while (next != null && !next.come.complete(true)) {
                next = waiting.pollFirst();
            }
            taken = next != null;
        }
    }

    /// One who waits. `come` says whether the turn came, or the waiting ended first.
    private static final class Turn {
        private final CompletableFuture<Boolean> come = new CompletableFuture<>();
    }

    private synchronized void forget(Turn turn) {
        waiting.remove(turn);
    }
}
