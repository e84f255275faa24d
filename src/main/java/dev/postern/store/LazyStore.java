package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Records that are opened once somebody needs them, in a thread of their own, so that a call's server can start
/// meanwhile. An opening that failed is tried again by the next who asks. Safe for use by many threads.
public final class LazyStore implements AutoCloseable {
    private final Opening opening;
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
        this.opening = opening;
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
            Threads.platform("postern-store-opening", () -> {
                var opened = open();
                if (opened instanceof Opened.Failed) {
                    forget();
                }
                future.complete(opened);
            });
        }
        return future;
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
            return new Opened.Failed(new StoreException(
                    new Problem(
                            ErrorCode.INTERNAL,
                            "Opening the records failed (" + e.getClass().getSimpleName() + ").",
                            "This is a fault of Postern, not of yours; please report it with this line."),
                    e));
        }
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
