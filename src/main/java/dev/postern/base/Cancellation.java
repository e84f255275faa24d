package dev.postern.base;

import java.util.ArrayList;
import java.util.List;

/// A wish to stop, made once and seen by everyone who listens. Safe for use by many threads.
public final class Cancellation {
    private final Object lock = new Object();
    private final List<Runnable> listeners = new ArrayList<>();
    private boolean requested;

    /// Runs every listener on the calling thread, the first time; later calls do nothing.
    public void request() {
        List<Runnable> told;
        synchronized (lock) {
            if (requested) {
                return;
            }
            requested = true;
            told = List.copyOf(listeners);
            listeners.clear();
        }
        told.forEach(Runnable::run);
    }

    public boolean requested() {
        synchronized (lock) {
            return requested;
        }
    }

    /// Runs `listener` when the wish is made, or now when it was made already. It must be quick and must not
    /// throw.
    ///
    /// @return to be closed when the listener has lost its interest
    public Registration listen(Runnable listener) {
        synchronized (lock) {
            if (!requested) {
                listeners.add(listener);
                return () -> {
                    synchronized (lock) {
                        listeners.remove(listener);
                    }
                };
            }
        }
        listener.run();
        return () -> {};
    }

    /// A listener's place; closing it twice is harmless.
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
