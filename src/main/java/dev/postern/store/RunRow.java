package dev.postern.store;

import org.jspecify.annotations.Nullable;

/// A run as it is stored; times are milliseconds since 1970.
///
/// @param ended null while it is open, and so is `state`
/// @param calls how many it has made
/// @param agent what only an agent's run has; nothing of it in a run of one call
/// @param first the first of them, null when there is none
public record RunRow(
        String id,
        String trigger,
        String mode,
        long started,
        @Nullable Long ended,
        @Nullable String state,
        String owner,
        int calls,
        Agent agent,
        @Nullable FirstCall first) {
    /// What only the run of an agent has.
    ///
    /// @param session null for a run outside of any
    /// @param trouble why it did not complete; null when it did, and while it is open
    public record Agent(
            @Nullable String session,
            int turns,
            long inputTokens,
            long outputTokens,
            CallEnd.@Nullable Trouble trouble) {}

    public record FirstCall(
            String server, String tool, @Nullable String outcome) {}
}
