package dev.postern.secret.source;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The environment this program was started with: the one way to it for whoever resolves references or starts a
/// child. Immutable and safe for use by many threads.
public final class HostEnvironment {
    private static final List<String> CHILD_BASE = List.of("HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM");

    private interface Lookup {
        @Nullable
        String get(String name);
    }

    private final Lookup lookup;

    private HostEnvironment(Lookup lookup) {
        this.lookup = lookup;
    }

    /// Of this process.
    public static HostEnvironment ofProcess() {
        return new HostEnvironment(System::getenv);
    }

    public static HostEnvironment of(Map<String, String> variables) {
        return new HostEnvironment(Map.copyOf(variables)::get);
    }

    /// The value of a variable, or null when it is not set; never null for one that is set to nothing.
    public @Nullable String get(String name) {
        return lookup.get(name);
    }

    /// What every child gets, where it is set: nothing else of our environment reaches one without being named
    /// (SEC-4). A new map, in a fixed order.
    public Map<String, String> childBase() {
        var base = new LinkedHashMap<String, String>();
        for (var name : CHILD_BASE) {
            var value = get(name);
            if (value != null) {
                base.put(name, value);
            }
        }
        return base;
    }
}
