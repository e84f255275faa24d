package dev.postern.model;

/// What an answer cost.
///
/// @param estimated the provider did not say, and [TokenEstimate] did
public record Usage(long inputTokens, long outputTokens, boolean estimated) {}
