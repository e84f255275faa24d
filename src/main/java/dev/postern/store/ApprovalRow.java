package dev.postern.store;

import java.time.Instant;

/// A question to the owner that was put: whether a call may go ahead (APR-1).
///
/// @param arguments JSON, redacted
/// @param deadline when silence becomes a no
public record ApprovalRow(
        String id, String runId, String server, String tool, String arguments, Instant asked, Instant deadline) {}
