package dev.postern.app;

import dev.postern.base.Cancellation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// How the process ends when it is told to by Ctrl-C, SIGTERM or SIGHUP: the command is cancelled, settles its
/// call, stops its servers, and its exit code is the process's. The virtual machine begins its shutdown on such
/// a signal and waits for this hook.
final class Ending {
    /// A command that was cancelled before it could answer, such as one that still reads standard input (CLI-5).
    private static final int CANCELLED = 130;

    /// Over the ceiling of `timeouts.close`: stopping servers takes no longer.
    private static final long PATIENCE_SECONDS = 40;

    private final Cancellation cancellation;
    private final BooleanSupplier hasServers;
    private final Runnable abandon;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int code = CANCELLED;

    /// @param hasServers whether there may be servers to stop
    /// @param abandon removes what must not stay behind when the command does not come to its end; quick
    Ending(Cancellation cancellation, BooleanSupplier hasServers, Runnable abandon) {
        this.cancellation = cancellation;
        this.hasServers = hasServers;
        this.abandon = abandon;
    }

    void watch() {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("postern-ending").unstarted(this::leave));
    }

    /// The command has come to its end.
    void ended(int exitCode) {
        code = exitCode;
        ended.countDown();
    }

    private void leave() {
        if (ended.getCount() == 0) {
            return;
        }
        cancellation.request();
        boolean inTime = false;
        try {
            inTime = ended.await(hasServers.getAsBoolean() ? PATIENCE_SECONDS : 0, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // Nobody has a reason to; leave now.
        }
        if (!inTime) {
            abandon.run();
        }
        Runtime.getRuntime().halt(code);
    }
}
