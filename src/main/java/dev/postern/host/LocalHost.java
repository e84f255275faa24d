package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest;
import dev.postern.call.CallService;
import dev.postern.policy.Mode;
import dev.postern.process.Sweep;
import dev.postern.run.AgentRuns;
import dev.postern.run.Approver;
import dev.postern.run.PendingApprovals;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import dev.postern.server.Connected;
import dev.postern.server.Readiness;
import dev.postern.server.ServerPool;
import dev.postern.server.ServerSupervisor;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A host inside this very process: its servers live and end with it.
public final class LocalHost implements Host {
    private final ServerPool pool;
    private final CallService calls;
    private final Supplier<AgentRuns> makeRuns;
    private final PendingApprovals approvals = new PendingApprovals();
    private final Cancellation hurried = new Cancellation();
    private @Nullable AgentRuns runs;
    private boolean stopped;

    /// @param runs asked once, when the first run of an agent starts
    public LocalHost(ServerPool pool, CallService calls, Supplier<AgentRuns> runs) {
        this.pool = pool;
        this.calls = calls;
        this.makeRuns = runs;
    }

    private synchronized AgentRuns runs() {
        var made = runs;
        if (made == null) {
            made = makeRuns.get();
            runs = made;
            if (stopped) {
                made.stop();
            }
        }
        return made;
    }

    private void stopRuns() {
        AgentRuns made;
        synchronized (this) {
            stopped = true;
            made = runs;
        }
        if (made != null) {
            made.stop();
        }
    }

    @Override
    public Status status() {
        return new Status(
                "local",
                null,
                StatusView.contained(pool.containment()),
                pool.supervisors().stream().map(StatusView::of).toList());
    }

    @Override
    public Answer<ServerTools> tools(String server, Cancellation cancellation) {
        return whenReady(server, cancellation, ToolsView::offered);
    }

    @Override
    public Answer<List<ListedTool>> discover(String server, Cancellation cancellation) {
        return whenReady(server, cancellation, ToolsView::listed);
    }

    @Override
    public CallReport call(
            String server, String tool, CallRequest.ArgumentsSource arguments, Cancellation cancellation) {
        return calls.call(new CallRequest(server, tool, arguments, Mode.COMMAND, null), pool, cancellation);
    }

    @Override
    public Answer<RunReport> run(
            RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation) {
        return runs().run(order, approver, events, cancellation);
    }

    @Override
    public boolean cancelRun(String runId) {
        return runs().cancel(runId);
    }

    @Override
    public PendingApprovals approvals() {
        return approvals;
    }

    @Override
    public String stderrTail(String server) {
        return switch (pool.find(server)) {
            case Answer.Not<ServerSupervisor> unknown -> "";
            case Answer.Here<ServerSupervisor> here -> here.value().stderrTail();
        };
    }

    @Override
    public List<String> notices() {
        return pool.swept().stream()
                .map(Sweep.Remains::text)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    @Override
    public List<Problem> stop() {
        stopRuns();
        var left = pool.stop();
        calls.close(hurried);
        return left;
    }

    @Override
    public void windDown() {
        AgentRuns made;
        synchronized (this) {
            made = runs;
        }
        if (made != null) {
            made.windDown();
        }
    }

    @Override
    public void hurry() {
        hurried.request();
        pool.hurry();
    }

    private <T> Answer<T> whenReady(
            String server, Cancellation cancellation, BiFunction<ServerSupervisor, Connected, T> view) {
        return switch (pool.find(server)) {
            case Answer.Not<ServerSupervisor> unknown -> new Answer.Not<>(unknown.problem());
            case Answer.Here<ServerSupervisor> here ->
                switch (here.value().ready(cancellation)) {
                    case Readiness.NotReady notReady -> new Answer.Not<>(notReady.problem());
                    case Readiness.Ready ready -> new Answer.Here<>(view.apply(here.value(), ready.connected()));
                };
        };
    }
}
