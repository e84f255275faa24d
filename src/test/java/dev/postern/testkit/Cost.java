package dev.postern.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Holds what is done with one input to one second and to a number of bytes (F9). The time is this thread's on
/// the processor and the bytes are those it allocates, freed or not, so that a busy machine changes neither.
/// What is over a bound is done again, up to three times, and the least counts: the first time loads classes.
///
/// While a fuzzer watches every branch and comparison, its own notes about them would be counted too: a small
/// configuration of 97 mistakes takes 50 KB by itself and 7 MB then. There the heap, of 256 MiB, is the bound.
public final class Cost {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TIMES = 3;
    private static final boolean WATCHED = System.getenv("JAZZER_FUZZ") != null;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Cost() {}

    /// The result of `work`, the same each time it is done.
    ///
    /// @param bytes the most that it may allocate
    public static <T> T within(long bytes, Supplier<T> work) {
        long mostBytes = WATCHED ? Long.MAX_VALUE : bytes;
        T result = null;
        long leastNanos = Long.MAX_VALUE;
        long leastBytes = Long.MAX_VALUE;
        for (int i = 0; i < TIMES && (leastNanos > MOST_NANOS || leastBytes > mostBytes); i++) {
            long nanos = THREADS.getCurrentThreadCpuTime();
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            result = work.get();
            leastBytes = Math.min(leastBytes, THREADS.getCurrentThreadAllocatedBytes() - allocated);
            leastNanos = Math.min(leastNanos, THREADS.getCurrentThreadCpuTime() - nanos);
        }
        assertThat(leastNanos).as("nanoseconds on the processor").isLessThanOrEqualTo(MOST_NANOS);
        assertThat(leastBytes).as("bytes allocated").isLessThanOrEqualTo(mostBytes);
        return result;
    }
}
