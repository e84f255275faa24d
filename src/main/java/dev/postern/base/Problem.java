package dev.postern.base;

/// What went wrong, told to a person: `message` says what was seen and where, `next` what to do about it.
/// Neither holds a secret; text that came from a server is redacted before it gets here.
///
/// @param code stable, for programs
/// @param message one sentence, without a trailing line break
/// @param next one sentence that names the next step
public record Problem(ErrorCode code, String message, String next) {}
