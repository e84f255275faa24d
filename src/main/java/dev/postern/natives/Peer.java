package dev.postern.natives;

/// The process at the other end of a Unix socket.
///
/// @param pid as this PID namespace sees it; 0 when it is in one that we can't see into
/// @param user its effective user id
public record Peer(long pid, long user) {}
