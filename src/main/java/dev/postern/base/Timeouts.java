package dev.postern.base;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// The timeouts in force for one server. Immutable; what is not set has its standard value.
public final class Timeouts {
    private static final Timeouts STANDARD = new Timeouts(new EnumMap<>(Timeout.class));

    private final Map<Timeout, Duration> set;

    private Timeouts(Map<Timeout, Duration> set) {
        this.set = set;
    }

    public static Timeouts standard() {
        return STANDARD;
    }

    /// A copy in which `timeout` has `value`.
    ///
    /// @throws IllegalArgumentException when `value` is not positive or over the ceiling; the configuration
    ///     reader has refused such values before
    public Timeouts with(Timeout timeout, Duration value) {
        if (!value.isPositive() || value.compareTo(timeout.ceiling()) > 0) {
            throw new IllegalArgumentException(timeout.key() + " must be over 0 and at most "
                    + Durations.text(timeout.ceiling()) + ", not " + Durations.text(value));
        }
        var copy = new EnumMap<Timeout, Duration>(Timeout.class);
        copy.putAll(set);
        copy.put(timeout, value);
        return new Timeouts(copy);
    }

    public Duration get(Timeout timeout) {
        return set.getOrDefault(timeout, timeout.standard());
    }

    /// A deadline that starts now.
    public Deadline start(Timeout timeout) {
        return Deadline.after(get(timeout), timeout);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Timeouts timeouts && set.equals(timeouts.set);
    }

    @Override
    public int hashCode() {
        return set.hashCode();
    }

    @Override
    public String toString() {
        return set.toString();
    }
}
