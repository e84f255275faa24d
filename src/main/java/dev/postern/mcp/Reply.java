package dev.postern.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import org.jspecify.annotations.Nullable;

/// What became of one request. Exactly one of these, always (WIR-7).
public sealed interface Reply {
    record Result(JsonNode value) implements Reply {}

    /// The peer answered a JSON-RPC error; its text is untrusted.
    record Failure(int code, String message, @Nullable JsonNode data) implements Reply {}

    /// No complete message went out: the peer can't have acted on it.
    record NotSent(Problem reason) implements Reply {}

    /// Sent, and the deadline fired first.
    ///
    /// @param strays lines that came meanwhile and answered nothing: no valid messages, or answers with an id that
    ///     nobody had asked with
    record TimedOut(Deadline deadline, long strays) implements Reply {
        /// What was seen, to follow the server's name: `did not answer tools/list within …`.
        public String describe(String asked) {
            var within = " within " + deadline.describe();
            return strays == 0
                    ? "did not answer " + asked + within
                    : "sent " + strays + (strays == 1 ? " line that is" : " lines that are") + " no valid answer to "
                            + asked + ", and nothing else," + within;
        }
    }

    /// Sent, and the caller gave up first.
    record Cancelled() implements Reply {}

    /// Sent, and the connection ended first.
    record Ended(Problem reason) implements Reply {}
}
