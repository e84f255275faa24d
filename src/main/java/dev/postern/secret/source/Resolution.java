package dev.postern.secret.source;

import dev.postern.base.Problem;
import dev.postern.secret.SecretValue;

/// What a reference led to (SEC-1, SEC-3).
public sealed interface Resolution {
    /// A secret, to be redacted wherever it comes back.
    record Found(SecretValue value) implements Resolution {}

    /// A literal of the configuration: no secret.
    record Plain(String value) implements Resolution {}

    /// No value: the server that needs it is unavailable.
    ///
    /// @param problem [dev.postern.base.ErrorCode#SECRET_MISSING] when there is none,
    ///     [dev.postern.base.ErrorCode#SECRET_REFUSED] when there is one that must not be used
    record Missing(Problem problem) implements Resolution {}
}
