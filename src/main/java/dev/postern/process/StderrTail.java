package dev.postern.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The last 64 KiB of what an instance wrote to standard error (PRC-1, PRC-6). Safe for use by many threads.
public final class StderrTail {
    /// Enough for the stack trace that matters, small enough for dozens of servers.
    public static final int CAPACITY = 65_536;

    /// Once something was overwritten, the oldest byte left may stand inside a secret, where redaction can't find
    /// it: this much is never shown. The longest encoding of the longest credential (4 KiB, as hex) fits in it.
    private static final int HELD_BACK = 8_192;

    private static final byte[] EMPTY = {};

    private byte[] ring = EMPTY;
    private long total;

    /// What there is to show.
    ///
    /// @param text not redacted; malformed UTF-8 became U+FFFD. When something was dropped it starts at the start
    ///     of a line, unless there is none
    /// @param dropped bytes before it that are gone
    public record Tail(String text, long dropped) {}

    void add(byte[] bytes, int count) {
        synchronized (this) {
            if (ring.length == 0) {
                ring = new byte[CAPACITY];
            }
            int skip = Math.max(0, count - CAPACITY);
            int at = (int) ((total + skip) % CAPACITY);
            int first = Math.min(count - skip, CAPACITY - at);
            System.arraycopy(bytes, skip, ring, at, first);
            System.arraycopy(bytes, skip + first, ring, 0, count - skip - first);
            total += count;
        }
    }

    /// Bytes written so far, shown or not.
    public long total() {
        synchronized (this) {
            return total;
        }
    }

    public Tail tail() {
        byte[] kept;
        long seen;
        synchronized (this) {
            seen = total;
            kept = unrolled();
        }
        int from = seen > CAPACITY ? afterLineFeed(kept) : 0;
        String text = new String(kept, from, kept.length - from, StandardCharsets.UTF_8);
        return new Tail(text, seen - kept.length + from);
    }

    private byte[] unrolled() {
        if (total <= CAPACITY) {
            return Arrays.copyOf(ring, (int) total);
        }
        int oldest = (int) (total % CAPACITY);
        byte[] kept = new byte[CAPACITY];
        System.arraycopy(ring, oldest, kept, 0, CAPACITY - oldest);
        System.arraycopy(ring, 0, kept, CAPACITY - oldest, oldest);
        return kept;
    }

    private static int afterLineFeed(byte[] kept) {
        for (int i = HELD_BACK; i < kept.length; i++) {
            if (kept[i] == '\n') {
                return i + 1;
            }
        }
        return HELD_BACK;
    }
}
