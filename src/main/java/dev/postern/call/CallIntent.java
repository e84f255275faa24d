package dev.postern.call;

import java.time.Instant;

/// What is about to be sent, recorded before the first byte goes out (CAL-1, CAL-4).
///
/// @param toolDigest the definition that the call was checked against (CAT-6)
/// @param arguments compact JSON in which every known secret is replaced (SEC-5)
/// @param argumentBytes size of the arguments as they are sent, as compact JSON
public record CallIntent(CallHead call, String toolDigest, String arguments, int argumentBytes, Instant at) {}
