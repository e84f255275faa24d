package dev.postern.run;

import dev.postern.base.Problem;
import org.jspecify.annotations.Nullable;

/// A run that has ended.
///
/// @param sessionId null for a run outside of any
/// @param state `completed`, `failed`, `cancelled`, `limit`
/// @param problem why it did not complete, null when it did
/// @param text the model's last answer; may be empty
/// @param counts what it took
public record RunReport(
        String runId,
        @Nullable String sessionId,
        State state,
        @Nullable Problem problem,
        String text,
        Counts counts) {
    /// How a run ended (RUN-1).
    public enum State {
        COMPLETED("completed"),
        FAILED("failed"),
        CANCELLED("cancelled"),
        LIMIT("limit");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /// The word that records and `--json` use.
        public String word() {
            return word;
        }
    }

    /// What a run took.
    ///
    /// @param unknown how many of the calls may have been done without an answer
    public record Counts(int turns, int calls, int unknown, long inputTokens, long outputTokens) {}
}
