package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.base.Written;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Writes to a child's standard input on one thread, the only one that ever writes to or closes the pipe: a write
/// to a child that does not read blocks for as long as the child lives, and so would a close beside it. Writers
/// queue, bounded by bytes, and are never blocked.
final class PipeWriter {
    /// Four of the largest messages that may be configured. Over it the server reads too slowly to be sent more.
    static final int QUEUE_BYTES = 4 << 20;

    /// What the kernel writes wholly or not at all (PIPE_BUF on Linux), so that a failed write is known to have
    /// left nothing in the pipe.
    private static final int ATOMIC_BYTES = 4_096;

    private final OutputStream pipe;
    private final Duration limit;
    private final Object lock = new Object();
    private final ArrayDeque<Entry> queue = new ArrayDeque<>();
    private int queuedBytes;
    private boolean finishing;
    private boolean over;
    private @Nullable Deadline current;

    private static final class Entry {
        private final byte[] bytes;
        private final CompletableFuture<Written> done = new CompletableFuture<>();

        Entry(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /// @param limit how long one message may take; see [#stuck()]
    PipeWriter(OutputStream pipe, Duration limit) {
        this.pipe = pipe;
        this.limit = limit;
    }

    /// The future always completes, at the latest when the process is gone, and never exceptionally.
    CompletableFuture<Written> write(byte[] bytes) {
        var entry = new Entry(bytes);
        synchronized (lock) {
            if (!finishing && !over && bytes.length <= QUEUE_BYTES - queuedBytes) {
                queuedBytes += bytes.length;
                queue.add(entry);
                lock.notifyAll();
                return entry.done;
            }
        }
        entry.done.complete(Written.NOT_AT_ALL);
        return entry.done;
    }

    /// Takes nothing more; the pipe is closed once everything queued is written.
    void finish() {
        synchronized (lock) {
            finishing = true;
            lock.notifyAll();
        }
    }

    /// The process is gone: whatever is queued will not be written.
    void abandon() {
        synchronized (lock) {
            over = true;
            lock.notifyAll();
        }
    }

    /// The deadline of the message being written, when it has passed: the child does not read.
    @Nullable
    Deadline stuck() {
        synchronized (lock) {
            return current != null && current.expired() ? current : null;
        }
    }

    /// The work of the writing thread. Ends after [#finish] and [#abandon], or when the pipe is broken.
    ///
    /// @return whether it was broken
    boolean run() {
        boolean broken = false;
        try {
            for (Entry entry = next(); entry != null; entry = next()) {
                Written written = put(entry.bytes);
                if (written != Written.WHOLE) {
                    broken = true;
                    abandon();
                }
                synchronized (lock) {
                    current = null;
                    queuedBytes -= entry.bytes.length;
                }
                entry.done.complete(written);
            }
        } finally {
            settleRest();
            try {
                pipe.close();
            } catch (IOException e) {
                // The reader has gone, which is what closing tells it.
            }
        }
        return broken;
    }

    private @Nullable Entry next() {
        synchronized (lock) {
            while (queue.isEmpty() && !finishing && !over) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    over = true;
                }
            }
            if (over || queue.isEmpty()) {
                return null;
            }
            current = Deadline.after(limit, Timeout.CALL);
            return queue.remove();
        }
    }

    private Written put(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int count = Math.min(ATOMIC_BYTES, bytes.length - at);
            try {
                pipe.write(bytes, at, count);
                pipe.flush();
            } catch (IOException e) {
                return at == 0 ? Written.NOT_AT_ALL : Written.PARTLY;
            }
            at += count;
        }
        return Written.WHOLE;
    }

    private void settleRest() {
        ArrayDeque<Entry> rest;
        synchronized (lock) {
            over = true;
            rest = new ArrayDeque<>(queue);
            queue.clear();
            queuedBytes = 0;
        }
        rest.forEach(entry -> entry.done.complete(Written.NOT_AT_ALL));
    }
}
