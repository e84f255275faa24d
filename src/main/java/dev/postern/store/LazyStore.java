package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Records that are opened once somebody needs them, in a thread of their own, so that a call's server can start
/// meanwhile. An opening that failed is tried again by the next who asks. Safe for use by many threads.
public final class LazyStore implements AutoCloseable {
    private final Opening opening;
    private final Executor opener;
    private @Nullable CompletableFuture<Opened> begun;
    private boolean closed;

    /// How to open them.
    public interface Opening {
        Store open() throws StoreException;
    }

    private sealed interface Opened {
        record Here(Store store) implements Opened {}

        record Failed(StoreException why) implements Opened {}
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
        return switch (opened().join()) {
            case Opened.Here here -> here.store();
            case Opened.Failed failed -> throw new StoreException(failed.why().problem(), failed.why());
        };
    }

    private synchronized CompletableFuture<Opened> opened() {
        if (begun != null) {
            return begun;
        }
        var future = new CompletableFuture<Opened>();
        if (closed) {
            future.complete(new Opened.Failed(new StoreException(StoreProblems.closed())));
        } else {
            begun = future;
            try {
                opener.execute(() -> finish(future, open()));
            } catch (RuntimeException | Error e) {
                // The system has no thread to give.
                finish(future, failed(e));
            }
        }
        return future;
    }

    private void finish(CompletableFuture<Opened> future, Opened opened) {
        if (opened instanceof Opened.Failed) {
            forget();
        }
        future.complete(opened);
    }

    private synchronized void forget() {
        begun = null;
    }

    private Opened open() {
        try {
            return new Opened.Here(opening.open());
        } catch (StoreException e) {
            return new Opened.Failed(e);
        } catch (RuntimeException | Error e) {
            return failed(e);
        }
    }

    private static Opened failed(Throwable fault) {
        return new Opened.Failed(new StoreException(
                new Problem(
                        ErrorCode.INTERNAL,
                        "Opening the records failed (" + fault.getClass().getSimpleName() + ").",
                        "This is a fault of Postern, not of yours; please report it with this line."),
                fault));
    }

    /// The records, if they were ever asked for and could be opened.
    public @Nullable Store ifOpen() {
        CompletableFuture<Opened> future;
        synchronized (this) {
            future = begun;
        }
        return future != null && future.join() instanceof Opened.Here here ? here.store() : null;
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
