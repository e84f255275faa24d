package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest;
import dev.postern.run.Approver;
import dev.postern.run.PendingApprovals;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import java.util.List;
import java.util.function.Consumer;

/// The worker's host as one of its commands sees it: the servers are everybody's, so that stopping it stops nothing.
public final class SharedHost implements Host {
    private final Host host;
    private final long pid;

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
        return host.tools(server, cancellation);
    }

    @Override
    public Answer<List<ListedTool>> discover(String server, Cancellation cancellation) {
        return host.discover(server, cancellation);
    }

    @Override
    public CallReport call(
            String server, String tool, CallRequest.ArgumentsSource arguments, Cancellation cancellation) {
        return host.call(server, tool, arguments, cancellation);
    }

    @Override
    public Answer<RunReport> run(
            RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation) {
        return host.run(order, approver, events, cancellation);
    }

    @Override
    public boolean cancelRun(String runId) {
        return host.cancelRun(runId);
    }

    @Override
    public PendingApprovals approvals() {
        return host.approvals();
    }

    @Override
    public String stderrTail(String server) {
        return host.stderrTail(server);
    }

    @Override
    public List<Problem> stop() {
        return List.of();
    }
}
