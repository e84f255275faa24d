package dev.postern.model;

import dev.postern.base.Problem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What came of one question.
public sealed interface ModelReply {
    /// The answer came to its end.
    ///
    /// @param calls in the model's order; none when the answer was cut short, whose last call may lack its end
    /// @param cutShort the provider stopped at its output limit
    record Answered(String text, List<ToolCall> calls, Usage usage, boolean cutShort) implements ModelReply {
        public Answered {
            calls = List.copyOf(calls);
        }
    }

    /// No whole answer came. Calls that it may have asked for are gone with it.
    ///
    /// @param problem holds no secret; what the provider said in it is redacted, visible and short
    /// @param retryAfter how long the provider said to wait; null when it did not say
    /// @param partialText the text that came before
    record Failed(
            ModelFault fault, Problem problem, @Nullable Duration retryAfter, String partialText)
            implements ModelReply {}

    /// Nobody wanted the answer any more.
    ///
    /// @param partialText the text that came before
    record Cancelled(String partialText) implements ModelReply {}
}
