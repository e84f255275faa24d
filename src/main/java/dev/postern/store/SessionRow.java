package dev.postern.store;

/// A session as it is stored; times are milliseconds since 1970.
///
/// @param title how its first message begins
public record SessionRow(String id, String title, long created, long changed, int runs) {}
