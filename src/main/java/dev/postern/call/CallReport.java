package dev.postern.call;

/// One call, settled.
///
/// @param durationMillis from the request to the outcome, the server's start included
public record CallReport(String callId, String server, String tool, Outcome outcome, long durationMillis) {}
