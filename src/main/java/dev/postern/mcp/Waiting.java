package dev.postern.mcp;

import dev.postern.base.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Blocking, bounded by a deadline.
public final class Waiting {
    private Waiting() {}

    /// What `future` completes with, or null when the deadline fires first. An interrupt does not end the
    /// wait, since the deadline does and whoever wants to stop uses a `Cancellation`; it is kept for the
    /// caller.
    public static <T> @Nullable T until(CompletableFuture<T> future, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return null;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("a future that never fails did", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
