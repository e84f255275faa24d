package dev.postern.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a call ended.
///
/// @param sent when it was handed to its server, null when it came to no sending
public record CallSettlement(CallHead call, @Nullable Instant sent, Outcome outcome, Instant at, long durationMillis) {}
