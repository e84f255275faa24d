package dev.postern.call;

import dev.postern.policy.Mode;
import java.time.Instant;

/// What is about to be sent, recorded before the first byte goes out (CAL-1, CAL-4). Holds no arguments: they
/// may hold secrets of their own.
///
/// @param argumentBytes size of the arguments as compact JSON
/// @param toolDigest the definition that the call was checked against (CAT-6)
public record CallIntent(
        String callId, String server, String tool, Mode mode, String toolDigest, int argumentBytes, Instant at) {}
