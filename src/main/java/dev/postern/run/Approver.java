package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import java.time.Duration;

/// Asks the owner whether a call may go ahead (APR). Called on the run's thread, one question at a time.
public interface Approver {
    /// Waits for the owner's word, no longer than the question allows; a cancel ends the waiting.
    Verdict ask(Question question, Cancellation cancellation);

    /// Exactly what would be sent.
    ///
    /// @param id of the question, such as `appr_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e`
    /// @param arguments all of them, with every known secret replaced
    /// @param patience after which silence is a no
    record Question(String id, String runId, String server, String tool, JsonNode arguments, Duration patience) {}

    /// The owner's word.
    sealed interface Verdict {
        record Yes() implements Verdict {}

        /// This call and all further ones of its tool in this run.
        record YesForRun() implements Verdict {}

        record No() implements Verdict {}

        /// No word came in time.
        record Silence() implements Verdict {}

        /// Nobody can be asked.
        record Nobody(Problem why) implements Verdict {}
    }
}
