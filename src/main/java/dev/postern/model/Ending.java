package dev.postern.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How one request ended.
sealed interface Ending {
    /// The provider said all that it had to say.
    record Whole() implements Ending {}

    record Cancelled() implements Ending {}

    /// No whole answer came.
    ///
    /// @param seen one sentence; what in it came from outside is not fit for anybody's eyes yet
    /// @param next one sentence of ours
    record Broken(
            ModelFault fault,
            String seen,
            String next,
            @Nullable Duration retryAfter) implements Ending {
        Broken(ModelFault fault, String seen, String next) {
            this(fault, seen, next, null);
        }
    }
}
