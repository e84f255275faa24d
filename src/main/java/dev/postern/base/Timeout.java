package dev.postern.base;

import java.time.Duration;

/// A duration in configuration that bounds how long a peer may keep us waiting (LIM-1, WIR-6). A running one is
/// a [Deadline].
public enum Timeout {
    /// From the launch to the end of discovery.
    STARTUP("startup", Duration.ofSeconds(8), Duration.ofMinutes(5)),
    /// One protocol request that is not a tool call.
    REQUEST("request", Duration.ofSeconds(5), Duration.ofMinutes(2)),
    /// One tool call, from the write to the answer.
    CALL("call", Duration.ofSeconds(10), Duration.ofHours(1)),
    /// From the decision to stop a server until nothing of it is left.
    CLOSE("close", Duration.ofSeconds(5), Duration.ofSeconds(30));

    private final String name;
    private final Duration standard;
    private final Duration ceiling;

    Timeout(String name, Duration standard, Duration ceiling) {
        this.name = name;
        this.standard = standard;
        this.ceiling = ceiling;
    }

    /// The last part of its key: `startup`.
    public String shortName() {
        return name;
    }

    /// Its key in `config.json`: `timeouts.startup`.
    public String key() {
        return "timeouts." + name;
    }

    public Duration standard() {
        return standard;
    }

    public Duration ceiling() {
        return ceiling;
    }
}
