package dev.postern.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a call ended, and with it a run of its own. Its texts are redacted already (STO-2).
///
/// @param sent when it was handed to the server, null when nothing went out
/// @param outcome `succeeded`, `failed`, `refused`, `not-sent`, `unknown`
/// @param runState `completed`, `failed`, `cancelled`, `limit`; null for a call of a run that goes on
public record CallEnd(
        @Nullable Instant sent,
        Instant at,
        long durationMillis,
        String outcome,
        @Nullable String runState,
        @Nullable Trouble trouble,
        @Nullable Result result) {
    /// Why it did not succeed.
    public record Trouble(String code, String message, String next) {}

    /// What came back, made to fit.
    ///
    /// @param content a JSON array
    /// @param structuredContent JSON, null when there was none or it was left out
    /// @param omittedContent a JSON object that counts by type
    public record Result(
            String content,
            @Nullable String structuredContent,
            boolean truncated,
            String omittedContent,
            boolean omittedStructuredContent,
            int redacted) {}
}
