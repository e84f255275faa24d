package dev.postern.store;

import org.jspecify.annotations.Nullable;

/// One request of a run to its model; times are milliseconds since 1970.
///
/// @param number from 1 in its run
/// @param span which messages it was sent
/// @param answered null while it is open, and where the owner died meanwhile
/// @param code of the problem that it ended in, null when the model answered
public record TurnRow(
        String runId,
        int number,
        Span span,
        long asked,
        @Nullable Long answered,
        long inputTokens,
        long outputTokens,
        @Nullable String code) {
    /// The messages of the session from the first, in whatever run it is, up to the last, in this one.
    public record Span(String firstRun, int firstPosition, int lastPosition) {}
}
