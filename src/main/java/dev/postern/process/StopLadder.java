package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Ends an instance step by step, each step only when the one before did not do (PRC-3): close standard input;
/// SIGTERM; SIGKILL to everything. Of the standard 5 s the first has 3 s, the second 1.5 s, and the rest is for the
/// kernel to carry out the third; other deadlines are divided alike.
final class StopLadder {
    /// Parts of the deadline that must be left when a step is over.
    private static final double AFTER_EOF = 0.4;

    private static final double AFTER_LAUNCHED = 0.25;
    private static final double AFTER_TERM = 0.1;

    /// The kernel gets this much time to kill, even when the deadline leaves less.
    private static final Duration LEAST = Duration.ofMillis(500);

    private final PipeWriter writer;
    private final ProcessTree tree;
    private final CompletableFuture<Exit> exited;
    private final Object lock = new Object();
    private Deadline deadline;
    private Duration whole;

    StopLadder(PipeWriter writer, ProcessTree tree, CompletableFuture<Exit> exited, Deadline deadline) {
        this.writer = writer;
        this.tree = tree;
        this.exited = exited;
        this.deadline = deadline;
        this.whole = deadline.remaining();
    }

    /// Less time than was thought.
    void hurry(Deadline earlier) {
        synchronized (lock) {
            if (deadline.earlier(earlier) == earlier) {
                deadline = earlier;
                whole = earlier.remaining();
                lock.notifyAll();
            }
        }
    }

    /// The work of the stopping thread. Returns when the server's process has ended or nothing more can be done;
    /// what descends from it is ended by the launch thread.
    void climb() {
        var _ = exited.thenRun(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        writer.finish();
        tree.look();
        if (endsBefore(AFTER_EOF) || terminated()) {
            return;
        }
        Duration left;
        synchronized (lock) {
            left = deadline.remaining();
        }
        tree.kill(Deadline.after(left.compareTo(LEAST) < 0 ? LEAST : left, Timeout.CLOSE));
    }

    private boolean terminated() {
        List<ProcessHandle> asked = tree.toTerminate();
        for (int i = 0; i < asked.size(); i++) {
            ProcessHandle process = asked.get(i);
            if (tree.deafToTerm(process)) {
                return false;
            }
            process.destroy();
            if (endsBefore(i < asked.size() - 1 ? AFTER_LAUNCHED : AFTER_TERM)) {
                return true;
            }
        }
        return false;
    }

    /// Whether the process ends while more than this part of the deadline is left.
    private boolean endsBefore(double part) {
        synchronized (lock) {
            while (!exited.isDone()) {
                long nanos = deadline.remaining().toNanos() - (long) (whole.toNanos() * part);
                if (nanos <= 0) {
                    return false;
                }
                try {
                    lock.wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }
}
