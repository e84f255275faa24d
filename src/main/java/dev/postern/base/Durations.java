package dev.postern.base;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Durations as `config.json` and messages write them (CFG-6): a whole number and one of `ms`, `s`, `m`, `h`.
public final class Durations {
    /// More would overflow some unit, and is over every ceiling anyway.
    private static final int MOST_DIGITS = 9;

    private Durations() {}

    /// The duration that `text` says, or null when it is not of the form `500ms`, `8s`, `2m`, `1h`.
    public static @Nullable Duration parse(String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > MOST_DIGITS) {
            return null;
        }
        long count = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> null;
        };
    }

    /// The shortest form that is exact to the millisecond, such as `8s`.
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis != 0 && millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis != 0 && millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        if (millis % 1_000 == 0) {
            return millis / 1_000 + "s";
        }
        return millis + "ms";
    }
}
