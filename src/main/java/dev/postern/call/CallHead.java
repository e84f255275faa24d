package dev.postern.call;

import dev.postern.policy.Mode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is known of a call from its very beginning.
///
/// @param run the run that it belongs to
/// @param tool the server's own name of it
/// @param modelName the one by which a model chose it (MOD-4), null where no model did
public record CallHead(
        String callId,
        Run run,
        String server,
        String tool,
        @Nullable String modelName,
        Mode mode,
        Instant begun) {
    /// A run as one of its calls sees it.
    ///
    /// @param own it is of this one call, and begins and ends with it (RUN-1)
    public record Run(String id, boolean own) {}
}
