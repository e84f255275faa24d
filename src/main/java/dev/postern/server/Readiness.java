package dev.postern.server;

import dev.postern.base.Problem;

/// Whether a server can be used, and why not.
public sealed interface Readiness {
    record Ready(Connected connected) implements Readiness {}

    record NotReady(Problem problem) implements Readiness {}
}
