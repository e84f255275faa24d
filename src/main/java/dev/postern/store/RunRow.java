package dev.postern.store;

import org.jspecify.annotations.Nullable;

/// A run as it is stored; times are milliseconds since 1970.
///
/// @param ended null while it is open, and so is `state`
/// @param calls how many it has made
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
        @Nullable FirstCall first) {
    public record FirstCall(
            String server, String tool, @Nullable String outcome) {}
}
