package dev.postern.base;

import java.time.Duration;

/// The instant on the monotonic clock at which waiting ends, and the setting that put it there, so that a
/// message can name what fired and how to raise it (WIR-6). A suspended machine or a changed wall clock does
/// not move it. Immutable.
public final class Deadline {
    private final long at;
    private final Timeout timeout;
    private final Duration length;

    private Deadline(long at, Timeout timeout, Duration length) {
        this.at = at;
        this.timeout = timeout;
        this.length = length;
    }

    public static Deadline after(Duration length, Timeout timeout) {
        return new Deadline(System.nanoTime() + length.toNanos(), timeout, length);
    }

    /// The earlier of the two: a request inside start-up ends with whichever comes first.
    public Deadline earlier(Deadline other) {
        return at - other.at <= 0 ? this : other;
    }

    /// What is left, never negative.
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, at - System.nanoTime()));
    }

    public boolean expired() {
        return at - System.nanoTime() <= 0;
    }

    /// For messages: `the request deadline of 5s (timeouts.request)`.
    public String describe() {
        return "the " + timeout.shortName() + " deadline of " + Durations.text(length) + " (" + timeout.key() + ")";
    }

    /// For the next step of a message: how to raise it.
    public String howToRaise() {
        return "If the server needs longer, raise " + timeout.key() + " for it in config.json (at most "
                + Durations.text(timeout.ceiling()) + ").";
    }
}
