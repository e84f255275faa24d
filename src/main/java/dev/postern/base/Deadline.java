package dev.postern.base;

import java.time.Duration;

/// The instant on the monotonic clock at which waiting ends, and the setting that put it there, so that a
/// message can name what fired and how to raise it (WIR-6). A suspended machine or a changed wall clock does
/// not move it. Immutable.
public final class Deadline {
    private final long at;
    private final WaitSetting setting;
    private final Duration length;
    private final boolean ofServer;

    private Deadline(Duration length, WaitSetting setting, boolean ofServer) {
        this.at = System.nanoTime() + length.toNanos();
        this.setting = setting;
        this.length = length;
        this.ofServer = ofServer;
    }

    /// For waiting on a server.
    public static Deadline after(Duration length, Timeout timeout) {
        return new Deadline(length, new WaitSetting(timeout.shortName(), timeout.key(), timeout.ceiling()), true);
    }

    /// For waiting on anything else.
    public static Deadline after(Duration length, WaitSetting setting) {
        return new Deadline(length, setting, false);
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
        return "the " + setting.shortName() + " deadline of " + Durations.text(length) + " (" + setting.key() + ")";
    }

    /// For the next step of a message: how to raise it.
    public String howToRaise() {
        return (ofServer ? "If the server needs longer, raise " : "If that is too short, raise ")
                + setting.key()
                + (ofServer ? " for it" : "") + " in config.json (at most " + Durations.text(setting.ceiling()) + ").";
    }
}
