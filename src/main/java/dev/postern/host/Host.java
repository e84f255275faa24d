package dev.postern.host;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest;
import dev.postern.catalog.Excluded;
import dev.postern.run.Approver;
import dev.postern.run.PendingApprovals;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The one interface the faces use. Every method may be called from any thread and may block up to the
/// deadlines of the servers it names. Stopping or closing it ends every server it started and returns when
/// nothing of them is left (PRC-3).
public interface Host extends AutoCloseable {
    /// What is configured and what is live, in the order of the configuration. Starts nothing (CLI-1).
    Status status();

    /// The allowed tools of one server, starting it when needed (CLI-2). A cancel ends the waiting, not the
    /// start, which others may be waiting for too.
    Answer<ServerTools> tools(String server, Cancellation cancellation);

    /// Every tool the server lists, and whether it is allowed, starting it when needed (CLI-2). A cancel ends
    /// the waiting, not the start, which others may be waiting for too.
    Answer<List<ListedTool>> discover(String server, Cancellation cancellation);

    /// Calls one tool, once. What the configuration alone refuses is refused before anything is started
    /// (CLI-5).
    CallReport call(String server, String tool, CallRequest.ArgumentsSource arguments, Cancellation cancellation);

    /// Starts the run of an agent and follows it to its end (RUN). A server that can't be used is told as an
    /// event; the run goes on with the others.
    ///
    /// @param events told on the run's threads, one at a time
    /// @return the report; a problem only where no run began
    Answer<RunReport> run(RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation);

    /// Makes a run of this host end soon, as cancelled (RUN-6).
    ///
    /// @return whether it goes on here
    boolean cancelRun(String runId);

    /// Where questions of this host's runs wait for an answer from elsewhere (APR-2).
    PendingApprovals approvals();

    /// The redacted tail of what the server's current or last instance wrote to standard error, or empty.
    String stderrTail(String server);

    /// What people should know besides, such as what was ended that a killed host had left behind (PRC-4).
    default List<String> notices() {
        return List.of();
    }

    /// Ends every server, and starts none any more.
    ///
    /// @return for each server of which something could not be ended, what
    List<Problem> stop();

    /// Has the runs of agents end once their calls in flight have (WRK-4). Does not wait.
    default void windDown() {}

    /// Makes a [#stop], whether it is under way or to come, one without patience (WRK-4). Does not wait.
    default void hurry() {}

    /// As [#stop], for whoever has nobody to tell.
    @Override
    default void close() {
        var _ = stop();
    }

    /// What every server is up to.
    ///
    /// @param owner whose the servers are: `local`, this command's own, or `worker`
    /// @param ownerPid the worker's process; null when the servers are local
    /// @param containment what the next server would be started in; only a start shows whether it works
    record Status(String owner, @Nullable Long ownerPid, Contained containment, List<ServerStatus> servers) {}

    /// What keeps the processes of a server together (PRC-4).
    ///
    /// @param kind such as `bwrap`
    /// @param remedy how to get better containment; null when there is nothing to gain
    record Contained(String kind, @Nullable String remedy) {}

    /// One configured server as it is now.
    ///
    /// @param state `disabled`, `stopped`, `starting`, `ready`, `failed`, `unavailable`
    /// @param pid the server's own process as this machine sees it, null when none runs
    /// @param containment how its processes are contained; null when none runs
    /// @param tools names, null when they are not known (never an empty list for that)
    record ServerStatus(
            String id,
            boolean enabled,
            String state,
            @Nullable Long pid,
            @Nullable String protocol,
            @Nullable Contained containment,
            List<String> allowed,
            List<String> scheduledTools,
            @Nullable List<String> tools,
            @Nullable Instant discoveredAt,
            List<Problem> diagnostics) {}

    record ServerTools(String server, List<OfferedTool> tools, List<Excluded> excluded, List<Problem> diagnostics) {}

    /// A tool that this server offers under the policy.
    ///
    /// @param modelName the name that a model sees (MOD-1)
    /// @param parameters the strict object that a model fills in (MOD-2)
    record OfferedTool(
            String name,
            String modelName,
            String description,
            JsonNode parameters,
            JsonNode inputSchema,
            boolean scheduled,
            String digest) {}

    /// A tool that the server lists, allowed or not.
    ///
    /// @param excluded why an allowed tool is unfit, else null
    record ListedTool(
            String name,
            String description,
            boolean allowed,
            boolean scheduled,
            @Nullable Excluded excluded) {}
}
