package dev.postern.transport;

import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.mcp.Connector;
import dev.postern.process.Instance;
import dev.postern.process.LaunchSpec;
import dev.postern.process.Launcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Starts instances of one stdio server and keeps each until it is stopped. Safe for use by many threads.
public final class StdioConnector implements Connector {
    private final Launcher launcher;
    private final LaunchSpec spec;
    private final Limits limits;
    private final Timeouts timeouts;
    private final Object lock = new Object();
    private final List<Running> started = new ArrayList<>();
    private int connecting;
    private boolean stopped;

    private record Running(Instance instance, StdioConnection connection) {}

    public StdioConnector(Launcher launcher, LaunchSpec spec, Limits limits, Timeouts timeouts) {
        this.launcher = launcher;
        this.spec = spec;
        this.limits = limits;
        this.timeouts = timeouts;
    }

    @Override
    public Attempt connect(Deadline startup) {
        synchronized (lock) {
            if (stopped) {
                return new Attempt.Failed(Endings.stopped(spec.server()));
            }
            connecting++;
        }
        try {
            return start(startup);
        } finally {
            synchronized (lock) {
                connecting--;
                lock.notifyAll();
            }
        }
    }

    private Attempt start(Deadline startup) {
        var connection = new StdioConnection(spec.server(), limits.get(Limit.FRAME_BYTES), timeouts);
        var launch = launcher.launch(spec, connection, timeouts.get(Timeout.CALL), startup);
        return switch (launch) {
            case Launcher.Launch.Failed failed -> new Attempt.Failed(failed.problem());
            case Launcher.Launch.Started running -> keep(running.instance(), connection);
        };
    }

    /// The instance started last, running or not; null before the first.
    public @Nullable Instance current() {
        synchronized (lock) {
            return started.isEmpty() ? null : started.getLast().instance;
        }
    }

    /// Stops every instance, at the same time, one that is just being started included, and starts none any more.
    /// Returns when nothing of them is left, or shortly after `deadline`.
    ///
    /// @return what could not be ended, null when nothing is left
    public @Nullable Problem stop(Deadline deadline) {
        List<Running> all;
        synchronized (lock) {
            stopped = true;
            all = List.copyOf(started);
        }
        for (Running running : all) {
            running.connection.close(Endings.stopped(spec.server()));
            running.instance.beginStop(deadline);
        }
        boolean settled = awaitConnects(deadline);
        List<Long> left = new ArrayList<>();
        synchronized (lock) {
            all = List.copyOf(started);
        }
        for (Running running : all) {
            left.addAll(running.instance.stop(deadline));
        }
        if (!left.isEmpty()) {
            return notEnded(deadline, left);
        }
        return settled ? null : notStarted(deadline);
    }

    /// Whether no launch is under way any more before `deadline`. One that ends later kills what it started.
    private boolean awaitConnects(Deadline deadline) {
        synchronized (lock) {
            while (connecting > 0) {
                long millis = deadline.remaining().toMillis();
                if (millis <= 0) {
                    return false;
                }
                try {
                    lock.wait(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    private Problem notStarted(Deadline deadline) {
        return new Problem(
                ErrorCode.INTERNAL,
                "The operating system is still starting server \"" + spec.server() + "\" after " + deadline.describe()
                        + "; what it starts will be killed.",
                "Check that the program's directory is on a file system that answers, and look with ps.");
    }

    private Problem notEnded(Deadline deadline, List<Long> left) {
        return new Problem(
                ErrorCode.INTERNAL,
                "Processes of server \"" + spec.server() + "\" could not be ended within " + deadline.describe()
                        + ": pid " + left + ".",
                "The kernel holds on to them (a file system that does not answer, perhaps); look with ps.");
    }

    private Attempt keep(Instance instance, StdioConnection connection) {
        connection.attach(instance);
        boolean late;
        synchronized (lock) {
            started.add(new Running(instance, connection));
            late = stopped;
        }
        if (late) {
            connection.close(Endings.stopped(spec.server()));
            instance.beginStop(Deadline.after(Duration.ZERO, Timeout.CLOSE));
            return new Attempt.Failed(Endings.stopped(spec.server()));
        }
        return new Attempt.Connected(connection);
    }
}
