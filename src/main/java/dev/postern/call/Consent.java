package dev.postern.call;

/// Whether the owner approved a call that has to ask (APR-1).
public enum Consent {
    NOT_GIVEN,
    /// Of this very call: its server, its tool and its arguments.
    GIVEN
}
