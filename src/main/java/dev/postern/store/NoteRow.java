package dev.postern.store;

/// A note of the built-in tools as it is stored.
///
/// @param text redacted
/// @param changed milliseconds since 1970
public record NoteRow(String name, String text, long changed) {}
