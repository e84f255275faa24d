package dev.postern.store;

/// A message of a run as it is stored.
///
/// @param position from 0 in its run; 0 is the system message
/// @param role `system`, `user`, `assistant`, `tool`
/// @param content JSON, redacted
/// @param written milliseconds since 1970
public record MessageRow(String runId, int position, String role, String content, long written) {}
