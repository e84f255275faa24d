package dev.postern.call;

import dev.postern.policy.Mode;
import java.time.Instant;

/// What is known of a call from its very beginning.
///
/// @param runId the run that it belongs to; each is a run of its own (RUN-1)
/// @param tool the server's own name of it (MOD-4)
public record CallHead(String callId, String runId, String server, String tool, Mode mode, Instant begun) {}
