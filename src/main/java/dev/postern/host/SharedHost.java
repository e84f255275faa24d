package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// The worker's host as one of its commands sees it: the servers are everybody's, so that stopping it stops nothing.
/// Counts what is in flight, for a worker that is to end.
public final class SharedHost implements Host {
    private static final Duration GLANCE = Duration.ofMillis(10);

    private final Host host;
    private final long pid;
    private final AtomicInteger inFlight = new AtomicInteger();

    /// @param pid the worker's
    public SharedHost(Host host, long pid) {
        this.host = host;
        this.pid = pid;
    }

    @Override
    public Status status() {
        var status = host.status();
        return new Status("worker", pid, status.containment(), status.servers());
    }

    @Override
    public Answer<ServerTools> tools(String server, Cancellation cancellation) {
        return counted(() -> host.tools(server, cancellation));
    }

    @Override
    public Answer<List<ListedTool>> discover(String server, Cancellation cancellation) {
        return counted(() -> host.discover(server, cancellation));
    }

    @Override
    public CallReport call(
            String server, String tool, CallRequest.ArgumentsSource arguments, Cancellation cancellation) {
        return counted(() -> host.call(server, tool, arguments, cancellation));
    }

    @Override
    public String stderrTail(String server) {
        return host.stderrTail(server);
    }

    @Override
    public List<Problem> stop() {
        return List.of();
    }

    /// Waits until nothing is in flight, or patience has ended, or `hurried` says so.
    public void drain(Deadline patience, Cancellation hurried) {
        while (inFlight.get() > 0 && !patience.expired() && !hurried.requested()) {
            Threads.pause(GLANCE);
        }
    }

    private <T> T counted(Supplier<T> work) {
        inFlight.incrementAndGet();
        try {
            return work.get();
        } finally {
            inFlight.decrementAndGet();
        }
    }
}
