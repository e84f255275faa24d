package dev.postern.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A call that began, in a run of its own or in one that was recorded before (RUN-1). Its texts are redacted
/// already (STO-2).
///
/// @param trigger `cli`, `api`, `schedule`
/// @param mode `chat`, `api`, `scheduled`, `command`
/// @param what what is called
public record CallStart(String callId, String runId, String trigger, String mode, What what, Instant begun) {
    /// What is called.
    ///
    /// @param tool the server's own name of it
    /// @param modelName the one by which a model chose it (MOD-4), null where no model did
    public record What(String server, String tool, @Nullable String modelName) {}

    /// What is known once the call is about to be sent (CAL-4).
    ///
    /// @param digest the definition that the call was checked against (CAT-6)
    /// @param arguments JSON, without secrets
    /// @param bytes size of the arguments as they are sent
    public record Intent(String digest, String arguments, int bytes, Instant at) {}
}
