package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.postern.base.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Brings each response to the request that waits for it (WIR-4, WIR-7). Ids are 1, 2, 3… and never used
/// twice, so an id that is not waiting is late, repeated or made up; which of them need not be remembered.
/// Every request settles exactly once, at the latest when the connection ends. Safe for use by many threads.
public final class Correlator {
    private final Object lock = new Object();
    private final Map<Long, Pending> waiting = new HashMap<>();
    private long lastId;
    private long unmatched;
    private @Nullable Problem end;

    /// How a request settled.
    public sealed interface Settled {}

    public record Answered(Message.Response response) implements Settled {}

    /// The connection ended first.
    public record Ended(Problem reason) implements Settled {}

    /// Whoever waited gave up first.
    public record Abandoned() implements Settled {}

    /// A request under a fresh id. When the connection has ended already it is settled from the start.
    public Pending register() {
        synchronized (lock) {
            var pending = new Pending(++lastId);
            if (end == null) {
                waiting.put(pending.id, pending);
            } else {
                pending.settled.complete(new Ended(end));
            }
            return pending;
        }
    }

    /// Settles the request that `response` answers; any other response is counted and forgotten.
    public void respond(Message.Response response) {
        Pending pending;
        synchronized (lock) {
            pending = waiting.remove(ours(response.id()));
            if (pending == null) {
                unmatched++;
            }
        }
        if (pending != null) {
            pending.settled.complete(new Answered(response));
        }
    }

    /// The connection is over: settles every request, those to come too. The first reason stays.
    public void end(Problem reason) {
        List<Pending> left;
        synchronized (lock) {
            if (end != null) {
                return;
            }
            end = reason;
            left = List.copyOf(waiting.values());
            waiting.clear();
        }
        left.forEach(pending -> pending.settled.complete(new Ended(reason)));
    }

    /// Responses that completed nothing.
    public long unmatched() {
        synchronized (lock) {
            return unmatched;
        }
    }

    /// Requests not settled yet.
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /// The id of ours that a peer means: the integer itself, or a string of exactly its decimal digits, as
    /// some peers return it. 0, which is never used, for everything else.
    private static long ours(JsonNode id) {
        if (id.isIntegralNumber()) {
            return id.canConvertToLong() ? id.longValue() : 0;
        }
        if (!id.isTextual() || id.textValue().isEmpty() || id.textValue().length() > 18) {
            return 0;
        }
        String text = id.textValue();
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9' || (i == 0 && c == '0')) {
                return 0;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    /// One request in flight.
    public final class Pending {
        private final long id;
        private final CompletableFuture<Settled> settled = new CompletableFuture<>();

        private Pending(long id) {
            this.id = id;
        }

        /// As it goes into the request.
        public JsonNode id() {
            return LongNode.valueOf(id);
        }

        /// Completes exactly once and never exceptionally.
        public CompletableFuture<Settled> settled() {
            return settled;
        }

        /// Gives up: settles as [Abandoned], unless it has settled already. A later answer completes nothing.
        ///
        /// @return whether this was what settled it
        public boolean abandon() {
            synchronized (lock) {
                if (waiting.remove(id) == null) {
                    return false;
                }
            }
            settled.complete(new Abandoned());
            return true;
        }
    }
}
