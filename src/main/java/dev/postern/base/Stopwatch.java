package dev.postern.base;

/// Measures how long something took on the monotonic clock. Immutable.
public final class Stopwatch {
    private final long start = System.nanoTime();

    /// Whole milliseconds since it was made.
    public long millis() {
        return (System.nanoTime() - start) / 1_000_000;
    }
}
