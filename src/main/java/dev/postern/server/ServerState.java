package dev.postern.server;

import dev.postern.base.Problem;

/// Where a server is between configured and gone. A failed server stays failed until its host ends
/// (PRC-5).
public sealed interface ServerState {
    /// Switched off in the configuration.
    record Disabled() implements ServerState {}

    /// Nobody needed it yet.
    record Idle() implements ServerState {}

    record Starting() implements ServerState {}

    record Ready(Connected connected) implements ServerState {}

    /// Not tried: a secret is missing, or its kind is not supported.
    record Unavailable(Problem problem) implements ServerState {}

    record Failed(Problem problem) implements ServerState {}

    /// Stopped with its host.
    record Stopped() implements ServerState {}
}
