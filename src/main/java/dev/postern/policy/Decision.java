package dev.postern.policy;

import dev.postern.base.Problem;

/// What the policy says to one call, and the reason that decided.
public sealed interface Decision {
    /// Goes ahead without asking anybody.
    record Allow(Reason reason) implements Decision {}

    /// Goes ahead only when the owner approves this very call (APR-1).
    record Ask(Reason reason) implements Decision {}

    /// Does not go ahead, whoever asks.
    record Refuse(Reason reason, Problem problem) implements Decision {}

    /// The rule that decided.
    enum Reason {
        /// The server is disabled.
        SERVER_DISABLED,
        /// The tool is not in `tools`.
        NOT_ALLOWED,
        /// The tool is not in `scheduledTools`, and nobody is there to ask.
        NOT_SCHEDULED,
        /// The command itself is the owner's explicit request.
        EXPLICIT_COMMAND,
        /// The tool is in `scheduledTools`: reviewed as read-only.
        REVIEWED_READ_ONLY,
        /// The entry says `approval: auto`.
        APPROVAL_AUTO,
        /// The entry says `approval: ask`.
        APPROVAL_ASK
    }
}
