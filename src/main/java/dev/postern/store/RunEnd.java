package dev.postern.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a run of an agent ended.
///
/// @param state `completed`, `failed`, `cancelled`, `limit`
/// @param trouble why it did not complete, redacted; null when it did
public record RunEnd(String state, CallEnd.@Nullable Trouble trouble, Instant at) {}
