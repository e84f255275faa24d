package dev.postern.base;

import java.util.EnumMap;
import java.util.Map;

/// The limits in force for one server. Immutable; what is not set has its standard value.
public final class Limits {
    private static final Limits STANDARD = new Limits(new EnumMap<>(Limit.class));

    private final Map<Limit, Integer> set;

    private Limits(Map<Limit, Integer> set) {
        this.set = set;
    }

    public static Limits standard() {
        return STANDARD;
    }

    /// A copy in which `limit` has `value`.
    ///
    /// @throws IllegalArgumentException when `value` is below 1 or over the ceiling; the configuration reader
    ///     has refused such values before
    public Limits with(Limit limit, int value) {
        if (value < 1 || value > limit.ceiling()) {
            throw new IllegalArgumentException(limit.key() + " must be 1 to " + limit.ceiling() + ", not " + value);
        }
        var copy = new EnumMap<Limit, Integer>(Limit.class);
        copy.putAll(set);
        copy.put(limit, value);
        return new Limits(copy);
    }

    public int get(Limit limit) {
        return set.getOrDefault(limit, limit.standard());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limits limits && set.equals(limits.set);
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
