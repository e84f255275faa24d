package dev.postern.policy;

/// Who is behind a run, which decides what it may do (APR).
public enum Mode {
    /// `postern call`: the command itself is the owner's explicit request (APR-3).
    COMMAND,
    CHAT,
    API,
    /// Nobody is there to ask: only tools reviewed as read-only exist (TSK-2).
    SCHEDULED
}
