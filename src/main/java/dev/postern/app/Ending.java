package dev.postern.app;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// How the process ends when it is told to by Ctrl-C, SIGTERM or SIGHUP: the command is cancelled, settles its
/// call, stops its servers, and its exit code is the process's. The virtual machine begins its shutdown on such
/// a signal and waits for this hook. A second signal waits for nothing: servers are killed, and that is it.
final class Ending {
    /// A command that was cancelled before it could answer, such as one that still reads standard input (CLI-5).
    private static final int CANCELLED = 130;

    /// Over the ceiling of `timeouts.close`: stopping servers takes no longer.
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /// For killing them, which takes a fraction of it.
    private static final Duration HURRIED = Duration.ofSeconds(2);

    private static final Duration GLANCE = Duration.ofMillis(10);

    private final Cancellation cancellation;
    private final Cancellation hurried = new Cancellation();
    private final Servers servers;
    private final Runnable abandon;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int code = CANCELLED;

    /// What the command may have started.
    ///
    /// @param any whether there may be servers to stop
    /// @param kill has them ended at once
    record Servers(BooleanSupplier any, Runnable kill) {}

    /// @param abandon removes what must not stay behind when the command does not come to its end; quick
    Ending(Cancellation cancellation, Servers servers, Runnable abandon) {
        this.cancellation = cancellation;
        this.servers = servers;
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
        // Only now: a command that nobody interrupts has no use for a handler, and would wait for its classes.
        Signals.handle(hurried::request);
        cancellation.request();
        boolean inTime;
        try (var _ = hurried.listen(servers.kill)) {
            inTime = awaitEnd();
        }
        if (!inTime) {
            abandon.run();
        }
        Runtime.getRuntime().halt(hurried.requested() ? CANCELLED : code);
    }

    private boolean awaitEnd() {
        var usual = Deadline.after(servers.any.getAsBoolean() ? PATIENCE : Duration.ZERO, Timeout.CLOSE);
        try {
            boolean inTime = false;
            while (!inTime && !usual.expired() && !hurried.requested()) {
                inTime = ended.await(GLANCE.toNanos(), TimeUnit.NANOSECONDS);
            }
            return inTime || (hurried.requested() && ended.await(HURRIED.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            // Nobody has a reason to; leave now.
            return false;
        }
    }
}
