package dev.postern.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the worker does for clients. Called from many threads.
public interface ControlService {
    /// Why this command line is not run here, null when it is.
    @Nullable
    Refusal refusal(RunRequest request);

    /// Runs one command line to its end.
    ///
    /// @param cancellation requested when the client cancels or vanishes
    /// @return the exit code
    int run(RunRequest request, ClientStreams client, Cancellation cancellation);

    /// What the worker is and holds; see `worker status`.
    ObjectNode status();

    /// Within which the worker has ended, once it is told to.
    Duration patience();

    /// Begins to end the worker, and returns.
    void stop();

    /// Takes note of something that its owner may want to know.
    void log(String event);

    /// A command line that is not run here.
    ///
    /// @param local whether the client is to run the command itself instead
    record Refusal(boolean local, Problem problem) {}
}
