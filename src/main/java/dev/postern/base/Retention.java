package dev.postern.base;

import java.time.Duration;

/// How long records are kept, and how much room they may take: whichever comes first (STO-2).
///
/// @param age of a run since it started
/// @param bytes of the database that are in use
public record Retention(Duration age, long bytes) {
    public static final int STANDARD_DAYS = 90;
    public static final int MOST_DAYS = 3_650;

    public static final long STANDARD_BYTES = 1L << 30;

    /// Less would drop a run while its command still prints it.
    public static final long LEAST_BYTES = 1L << 20;

    public static final long MOST_BYTES = 1L << 40;

    public static final Retention STANDARD = new Retention(Duration.ofDays(STANDARD_DAYS), STANDARD_BYTES);

    /// Whatever the room, only by age.
    public static Retention byAge(Duration age) {
        return new Retention(age, Long.MAX_VALUE);
    }
}
