package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import org.jspecify.annotations.Nullable;

/// What happens in a run, as it happens. Holds no secret; every text of a model or a server is untrusted.
public sealed interface RunEvent {
    /// The run was recorded and begins.
    ///
    /// @param sessionId null for a run outside of any
    record Started(String runId, @Nullable String sessionId) implements RunEvent {}

    /// Something that the owner should know, and that the run goes on without.
    record Notice(Problem problem) implements RunEvent {}

    /// The next piece of what the model says.
    record Text(String text) implements RunEvent {}

    /// The model's answer is whole.
    record AnswerEnded() implements RunEvent {}

    /// A call passed every check and is about to be sent.
    ///
    /// @param arguments with every known secret replaced
    record CallStarted(String callId, String server, String tool, JsonNode arguments) implements RunEvent {}

    /// Also of a call that was never started, because it was refused.
    record CallEnded(CallReport report) implements RunEvent {}

    record Ended(RunReport report) implements RunEvent {}
}
