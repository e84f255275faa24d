package dev.postern.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A call that began, in a run of its own (RUN-1). Its texts are redacted already (STO-2).
///
/// @param trigger `cli`, `api`, `schedule`
/// @param mode `chat`, `api`, `scheduled`, `command`
/// @param tool the server's own name of it (MOD-4)
public record CallStart(
        String callId, String runId, String trigger, String mode, String server, String tool, Instant begun) {
    /// What is known once the call is about to be sent (CAL-4).
    ///
    /// @param modelName null when no model chose the tool
    /// @param digest the definition that the call was checked against (CAT-6)
    /// @param arguments JSON, without secrets
    /// @param bytes size of the arguments as they are sent
    public record Intent(@Nullable String modelName, String digest, String arguments, int bytes, Instant at) {}
}
