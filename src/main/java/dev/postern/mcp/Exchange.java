package dev.postern.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.base.Written;
import dev.postern.wire.Correlator;
import dev.postern.wire.Correlator.Abandoned;
import dev.postern.wire.Correlator.Answered;
import dev.postern.wire.Correlator.Ended;
import dev.postern.wire.Correlator.Settled;
import dev.postern.wire.Message;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Requests and their answers over one connection, in either era. Every request settles exactly once: by its
/// answer, its deadline, a cancel, a failed write or the end of the connection, whichever comes first, and
/// whatever the peer does meanwhile (WIR-6, WIR-7). Safe for use by many threads.
public final class Exchange {
    /// Why a peer is told to stop. Always the same text, so that nothing of ours can leak into it.
    private static final String CANCEL_REASON = "The caller stopped waiting.";

    /// How a write ended and why the connection did are told one after the other; this is how long the second
    /// may take. Only a connection that breaks its contract uses it up.
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Connection connection;
    private final Correlator correlator = new Correlator();
    private final CompletableFuture<Problem> end = new CompletableFuture<>();
    private final AtomicLong notifications = new AtomicLong();
    private final ServerRequests serverRequests;

    private Exchange(Connection connection) {
        this.connection = connection;
        this.serverRequests = new ServerRequests(connection);
    }

    /// Opens the connection and speaks over it.
    public static Exchange over(Connection connection) {
        var exchange = new Exchange(connection);
        connection.open(exchange.new Incoming());
        return exchange;
    }

    /// The era is known: from now on its rules apply to requests of the server. Before, those of the
    /// handshake era do, since only there may a server ask anything.
    public void speak(Era era) {
        serverRequests.speak(era);
    }

    /// Sends a request and returns at once. It settles as [Abandoned] when it can't be written whole.
    public Asked ask(String method, @Nullable ObjectNode params) {
        var pending = correlator.register();
        if (pending.settled().isDone()) {
            return new Asked(pending, CompletableFuture.completedFuture(Written.NOT_AT_ALL));
        }
        var written = connection.send(new Message.Request(pending.id(), method, params));
        var _ = written.thenAccept(outcome -> {
            if (outcome != Written.WHOLE) {
                pending.abandon();
            }
        });
        return new Asked(pending, written);
    }

    /// Sends a request and blocks until it settles. When the peer may have seen it and nobody waits any more,
    /// it is told so, once; nothing waits for that to be written.
    public Reply request(String method, ObjectNode params, Deadline deadline, Cancellation cancellation) {
        if (cancellation.requested()) {
            return new Reply.NotSent(new Problem(
                    ErrorCode.CANCELLED,
                    "Cancelled before " + method + " was sent.",
                    "Nothing was sent; call again if it is still wanted."));
        }
        if (deadline.expired()) {
            return new Reply.NotSent(new Problem(
                    ErrorCode.SEND_FAILED,
                    "Over " + deadline.describe() + " before " + method + " could be sent.",
                    deadline.howToRaise()));
        }
        long before = strays();
        var asked = ask(method, params);
        try (var _ = cancellation.listen(asked::abandon)) {
            var settled = Waiting.until(asked.settled(), deadline);
            if (settled == null) {
                asked.abandon();
                settled = asked.settled().join();
            }
            var reply = reply(asked, settled, deadline, cancellation);
            return reply instanceof Reply.TimedOut late
                    ? new Reply.TimedOut(late.deadline(), strays() - before)
                    : reply;
        }
    }

    /// Lines so far that answered nothing.
    private long strays() {
        return connection.noise() + correlator.unmatched();
    }

    /// Sends a notification and returns at once.
    public void tell(String method, @Nullable ObjectNode params) {
        var _ = connection.send(new Message.Notification(method, params));
    }

    /// Why an abandoned request could not be written: why the connection ended, where it did.
    public Problem brokenWrite(Asked asked) {
        Problem reason = Waiting.until(end, grace());
        if (reason != null) {
            return reason;
        }
        boolean partly = asked.written().getNow(Written.NOT_AT_ALL) == Written.PARTLY;
        return new Problem(
                ErrorCode.SEND_FAILED,
                partly
                        ? "A message could be written to the server only in part."
                        : "No message could be written to the server.",
                "Check that the server reads its standard input, and that it is still running.");
    }

    /// Completes with the reason when the connection has ended.
    public CompletableFuture<Problem> ended() {
        return end.copy();
    }

    public McpSession.Counters counters() {
        return new McpSession.Counters(correlator.unmatched(), notifications.get(), serverRequests.refused());
    }

    /// Requests that have not settled.
    int waiting() {
        return correlator.waiting();
    }

    private Reply reply(Asked asked, Settled settled, Deadline deadline, Cancellation cancellation) {
        return switch (settled) {
            case Answered answered ->
                switch (answered.response()) {
                    case Message.Result result -> new Reply.Result(result.result());
                    case Message.Failure failure ->
                        new Reply.Failure(failure.code(), failure.message(), failure.data());
                };
            case Ended ended ->
                Waiting.until(asked.written(), deadline.earlier(grace())) == Written.NOT_AT_ALL
                        ? new Reply.NotSent(ended.reason())
                        : new Reply.Ended(ended.reason());
            case Abandoned _ -> abandoned(asked, deadline, cancellation);
        };
    }

    private Reply abandoned(Asked asked, Deadline deadline, Cancellation cancellation) {
        var written = asked.written().getNow(null);
        if (written == Written.NOT_AT_ALL) {
            return new Reply.NotSent(brokenWrite(asked));
        }
        if (written == Written.PARTLY) {
            var reason = brokenWrite(asked);
            connection.close(reason);
            return new Reply.Ended(reason);
        }
        tell(
                "notifications/cancelled",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("reason", CANCEL_REASON)
                        .set("requestId", asked.pending().id()));
        return cancellation.requested() ? new Reply.Cancelled() : new Reply.TimedOut(deadline, 0);
    }

    private static Deadline grace() {
        return Deadline.after(GRACE, Timeout.CLOSE);
    }

    /// A request that was handed to the connection.
    public record Asked(Correlator.Pending pending, CompletableFuture<Written> written) {
        public CompletableFuture<Settled> settled() {
            return pending.settled();
        }

        /// Stops waiting. A later answer is counted and completes nothing.
        public void abandon() {
            var _ = pending.abandon();
        }
    }

    /// What arrives, on the connection's delivery thread.
    private final class Incoming implements Connection.Receiver {
        @Override
        public void received(Message message) {
            switch (message) {
                case Message.Response response -> correlator.respond(response);
                case Message.Notification _ -> notifications.incrementAndGet();
                case Message.Request request -> serverRequests.received(request);
            }
        }

        @Override
        public void ended(Problem reason) {
            end.complete(reason);
            correlator.end(reason);
        }
    }
}
