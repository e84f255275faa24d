package dev.postern.model;

import dev.postern.base.ErrorCode;

/// Why no whole answer came (MDL-2).
public enum ModelFault {
    /// The key is missing, wrong, or may not do this.
    AUTHENTICATION(ErrorCode.MODEL_AUTHENTICATION),
    /// Too much was asked lately, or a budget is used up.
    RATE_LIMIT(ErrorCode.MODEL_RATE_LIMIT),
    /// The conversation and the tool definitions are more than the model takes.
    CONTEXT_OVERFLOW(ErrorCode.MODEL_CONTEXT_OVERFLOW),
    /// Refused connection, unknown host, a fault of the provider's, half an answer.
    UNAVAILABLE(ErrorCode.MODEL_UNAVAILABLE),
    /// The answer took too long.
    DEADLINE(ErrorCode.MODEL_DEADLINE),
    /// The provider refused the request as it is, or its answer can't be read or is too large.
    INVALID(ErrorCode.MODEL_INVALID);

    private final ErrorCode code;

    ModelFault(ErrorCode code) {
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
