package dev.postern.config;

import dev.postern.base.Nearest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys that an object may have.
///
/// @param known in the order in which messages list them
/// @param later known to the specification, and refused until they do something: a setting that is silently
///     ignored would be a promise not kept
/// @param habits what other programs call some of them, to know what was meant
record Keys(List<String> known, List<String> later, Map<String, String> habits) {
    Keys(List<String> known) {
        this(known, List.of(), Map.of());
    }

    /// The known key that somebody most likely meant, or null.
    @Nullable
    String meant(String typed) {
        String habit = habits.get(typed);
        return habit == null ? Nearest.of(typed, known) : habit;
    }

    String list() {
        return String.join(", ", known);
    }
}
