package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Records that are opened once somebody needs them, in a thread of their own, so that a call's server can start
/// meanwhile. An opening that failed is tried again by the next who asks. Safe for use by many threads.
public final class LazyStore implements AutoCloseable {
    /// Opening takes a tenth of a second; another process may hold the lock for [Connections#BUSY_MILLIS]. Whoever
    /// asks waits no longer, whatever the file system does.
    private static final long PATIENCE_SECONDS = 30;

    private final Opening opening;
    private final Executor opener;
    private @Nullable CompletableFuture<Store> begun;
    private boolean closed;

    /// How to open them.
    public interface Opening {
        Store open() throws StoreException;
    }

    public LazyStore(Opening opening) {
        this(opening, work -> Threads.platform("postern-store-opening", work));
    }

    /// @param opener gives the opening a thread of its own
    LazyStore(Opening opening, Executor opener) {
        this.opening = opening;
        this.opener = opener;
    }

    /// Begins to open them, unless that has begun, and returns at once.
    public void begin() {
        var _ = opened();
    }

    /// The open records.
    public Store get() throws StoreException {
        return await(opened());
    }

    private synchronized CompletableFuture<Store> opened() {
        if (begun != null) {
            return begun;
        }
        var future = new CompletableFuture<Store>();
        if (closed) {
            future.completeExceptionally(new StoreException(StoreProblems.closed()));
            return future;
        }
        begun = future;
        try {
            opener.execute(() -> open(future));
        } catch (RuntimeException | Error e) {
            // The system has no thread to give.
            fail(future, e);
        }
        return future;
    }

    /// Completes `future` whatever happens. Where not even a class can be loaded any more, for want of descriptors,
    /// the little that is left to do needs none.
    private void open(CompletableFuture<Store> future) {
        try {
            future.complete(opening.open());
        } catch (StoreException | RuntimeException | Error e) {
            fail(future, e);
        }
    }

    private void fail(CompletableFuture<Store> future, Throwable why) {
        synchronized (this) {
            begun = null;
        }
        future.completeExceptionally(why);
    }

    private static Store await(CompletableFuture<Store> future) throws StoreException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    // A call is recorded to its end, whatever else is to stop.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException told
                    ? new StoreException(told.problem(), told)
                    : failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new StoreException(
                    new Problem(
                            ErrorCode.STORAGE_UNWRITABLE,
                            "The records could not be opened within " + PATIENCE_SECONDS + " seconds.",
                            "Look whether the file system of the data directory answers."),
                    e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static StoreException failed(Throwable fault) {
        return new StoreException(
                new Problem(
                        ErrorCode.INTERNAL,
                        "Opening the records failed (" + fault.getClass().getSimpleName() + ").",
                        "This is a fault of Postern, or the machine is out of memory, threads or descriptors; if it is"
                                + " not, please report it with this line."),
                fault);
    }

    /// The records, if they were ever asked for and could be opened.
    public @Nullable Store ifOpen() {
        CompletableFuture<Store> future;
        synchronized (this) {
            future = begun;
        }
        try {
            return future == null ? null : await(future);
        } catch (StoreException notOpen) {
            return null;
        }
    }

    /// Closes them, and opens none any more. Harmless when called again.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        var store = ifOpen();
        if (store != null) {
            store.close();
        }
    }
}
