package dev.postern.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// An open conversation with one instance, in one era. Callers block on virtual threads; any number may wait at
/// once, and cancelling one leaves the others and the connection alone (CAL-5).
public interface McpSession {
    Era era();

    /// The revision in force, such as `2025-11-25`.
    String protocolVersion();

    /// One page of `tools/list`. `cursor` is null for the first page; an empty string is a cursor.
    Reply listTools(@Nullable String cursor, Deadline deadline);

    /// Sends one `tools/call` and never repeats it (CAL-3). On the deadline or a cancel the peer is told once
    /// with `notifications/cancelled`, and this returns at once (WIR-7).
    Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation);

    /// Completes once, when the connection has ended, with the reason; never exceptionally.
    CompletableFuture<Problem> ended();

    /// What was counted and ignored so far, for diagnostics.
    Counters counters();

    /// Counts since the session opened.
    ///
    /// @param unmatched responses that matched no request in flight: unknown, repeated or late ids (WIR-4)
    /// @param notifications notifications, all ignored (WIR-8)
    /// @param refusedRequests requests of the server that got −32601 or were violations (WIR-5)
    record Counters(long unmatched, long notifications, long refusedRequests) {}
}
