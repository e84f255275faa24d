package dev.postern.mcp;

import dev.postern.base.Deadline;
import dev.postern.base.Problem;

/// Starts a fresh instance of a server and connects to it.
public interface Connector {
    /// Blocks only as long as the operating system takes to start a process, and no longer than `startup`.
    Attempt connect(Deadline startup);

    sealed interface Attempt {
        record Connected(Connection connection) implements Attempt {}

        record Failed(Problem problem) implements Attempt {}
    }
}
