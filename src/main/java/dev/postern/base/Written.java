package dev.postern.base;

/// What became of bytes that were to go to a peer.
public enum Written {
    /// Every byte reached the pipe or socket.
    WHOLE,
    /// Some bytes may have gone out: the peer may have read a complete message only if this says [#WHOLE].
    PARTLY,
    /// No byte went out.
    NOT_AT_ALL
}
