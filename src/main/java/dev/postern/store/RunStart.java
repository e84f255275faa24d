package dev.postern.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A run of an agent that begins (RUN-1). Its texts are redacted already (STO-2).
///
/// @param trigger `cli`, `api`, `schedule`
/// @param mode `chat`, `api`, `scheduled`
/// @param session null for a run outside of any
/// @param snapshot JSON: the tools that it is offered
public record RunStart(
        String id, String trigger, String mode, @Nullable InSession session, String snapshot, Instant at) {
    /// The session that it goes on with.
    ///
    /// @param title of a session that begins with this run; null where it exists
    public record InSession(String id, @Nullable String title) {}
}
