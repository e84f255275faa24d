package dev.postern.server;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.base.Version;
import dev.postern.catalog.Tool;
import dev.postern.config.Approval;
import dev.postern.config.ServerEntry;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Era;
import dev.postern.mcp.Waiting;
import dev.postern.mcp.opening.Sessions;
import dev.postern.policy.Policy;
import dev.postern.policy.ServerRule;
import dev.postern.process.Containment;
import dev.postern.secret.Redactor;
import dev.postern.store.DiscoveryRecord;
import dev.postern.transport.StdioConnector;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Keeps one server: starts it for the first who needs it, shares the one connection with everybody, and stops
/// it. What failed stays failed, with its reason (PRC-5). Safe for use by many threads.
public final class ServerSupervisor implements ToolSource {
    /// What a start-up that keeps its deadline may take to say so on a busy machine.
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final ServerEntry entry;
    private final Surroundings surroundings;
    private final ServerRule rule;
    private final CallGate gate;
    private final String entryDigest;
    private final CompletableFuture<Readiness> readiness = new CompletableFuture<>();

    private ServerState state;
    private @Nullable StdioConnector connector;

    ServerSupervisor(ServerEntry entry, Surroundings surroundings) {
        this.entry = entry;
        this.surroundings = surroundings;
        this.rule = new ServerRule(
                entry.id(),
                entry.enabled(),
                Set.copyOf(entry.tools()),
                Set.copyOf(entry.scheduledTools()),
                entry.approval() == Approval.AUTO);
        this.gate = new CallGate(entry.parallel());
        this.entryDigest = entry.digest();
        this.state = entry.enabled() ? new ServerState.Idle() : new ServerState.Disabled();
    }

    @Override
    public String id() {
        return entry.id();
    }

    public ServerEntry entry() {
        return entry;
    }

    @Override
    public ServerRule rule() {
        return rule;
    }

    @Override
    public Limits limits() {
        return entry.limits();
    }

    @Override
    public Timeouts timeouts() {
        return entry.timeouts();
    }

    @Override
    public CallGate gate() {
        return gate;
    }

    @Override
    public Redactor redactor() {
        return surroundings.secrets().redactor();
    }

    public synchronized ServerState state() {
        return state;
    }

    /// Its state, and of a server that nobody needed yet also whether its secrets let it be started (SEC-3). Reads
    /// credentials, starts nothing.
    public ServerState outlook() {
        var now = state();
        return now instanceof ServerState.Idle
                        && LaunchPlan.of(entry, surroundings) instanceof LaunchPlan.Impossible impossible
                ? new ServerState.Unavailable(impossible.problem())
                : now;
    }

    /// The process of a server that is starting or ready, else null.
    public @Nullable Running running() {
        StdioConnector starting;
        synchronized (this) {
            starting = state instanceof ServerState.Starting || state instanceof ServerState.Ready ? connector : null;
        }
        var instance = starting == null ? null : starting.current();
        return instance == null ? null : new Running(instance.pid(), instance.containment());
    }

    /// A running process of a server.
    ///
    /// @param pid the server's own, as this machine sees it
    /// @param containment what keeps its processes together
    public record Running(long pid, Containment containment) {}

    /// The end of what the current or last instance wrote to standard error, redacted; empty when none was started.
    public String stderrTail() {
        StdioConnector started;
        synchronized (this) {
            started = connector;
        }
        var instance = started == null ? null : started.current();
        return instance == null ? "" : StderrText.of(instance.stderr().tail(), redactor());
    }

    /// The last discovery that was stored for this very entry, by this process or another.
    public @Nullable DiscoveryRecord lastDiscovery() {
        return surroundings.discoveries().recall(entry.id(), entryDigest);
    }

    /// Starts the server if nobody did, and waits until it is ready, has failed, or the caller cancels, shortly
    /// longer than `timeouts.startup` at most, even where start-up itself should hang.
    @Override
    public Readiness ready(Cancellation cancellation) {
        startOnce();
        var answer = new CompletableFuture<Readiness>();
        var _ = readiness.thenAccept(answer::complete);
        try (var registration =
                cancellation.listen(() -> answer.complete(new Readiness.NotReady(cancelledDuringStart())))) {
            var first = Waiting.until(answer, longest());
            if (first == null) {
                fail(overdue());
                first = readiness.join();
            }
            return state() instanceof ServerState.Failed failed ? new Readiness.NotReady(failed.problem()) : first;
        }
    }

    private Deadline longest() {
        return Deadline.after(timeouts().get(Timeout.STARTUP).plus(MARGIN), Timeout.STARTUP);
    }

    /// Ends the instance, if there is one, by the stop ladder (PRC-3). Returns when nothing of it is left.
    ///
    /// @return what could not be ended, null when nothing is left
    public @Nullable Problem stop() {
        return stop(timeouts().start(Timeout.CLOSE));
    }

    /// As [#stop], with no time for the server to end by itself.
    void stopAtOnce() {
        var _ = stop(Deadline.after(Duration.ZERO, Timeout.CLOSE));
    }

    private @Nullable Problem stop(Deadline deadline) {
        StdioConnector running;
        synchronized (this) {
            running = connector;
            if (!(state instanceof ServerState.Failed) && !(state instanceof ServerState.Disabled)) {
                state = new ServerState.Stopped();
            }
        }
        readiness.complete(new Readiness.NotReady(stoppedProblem()));
        return running == null ? null : running.stop(deadline);
    }

    private void startOnce() {
        StdioConnector started;
        synchronized (this) {
            if (state instanceof ServerState.Disabled) {
                readiness.complete(new Readiness.NotReady(Policy.disabled(entry.id())));
            }
            if (!(state instanceof ServerState.Idle)) {
                return;
            }
            switch (LaunchPlan.of(entry, surroundings)) {
                case LaunchPlan.Impossible impossible -> {
                    state = new ServerState.Unavailable(impossible.problem());
                    readiness.complete(new Readiness.NotReady(impossible.problem()));
                    return;
                }
                case LaunchPlan.Possible possible -> {
                    state = new ServerState.Starting();
                    started = new StdioConnector(surroundings.launcher(), possible.spec(), limits(), timeouts());
                    connector = started;
                }
            }
        }
        Threads.virtual("start-" + entry.id(), () -> start(started));
    }

    /// Always ends in an answer for everyone who waits, a fault of ours included.
    private void start(StdioConnector starting) {
        try {
            startUp(starting);
        } catch (Throwable fault) {
            fail(new Problem(
                    ErrorCode.INTERNAL,
                    "The server \"" + entry.id() + "\" could not be started: "
                            + fault.getClass().getSimpleName() + ".",
                    "This is a fault of Postern; please report it."));
        }
    }

    private void startUp(StdioConnector starting) {
        UnaryOperator<String> redact = text -> redactor().redact(text).text();
        var opener = new Sessions(ClientInfo.postern(Version.TEXT), redact);
        var outcome = new StartUp(entry, opener, redact, surroundings.time()).run(starting, rememberedEra());
        switch (outcome) {
            case Readiness.NotReady notReady -> fail(notReady.problem());
            case Readiness.Ready ready -> settled(ready);
        }
    }

    private @Nullable Era rememberedEra() {
        var last = lastDiscovery();
        if (last == null) {
            return null;
        }
        return last.era().equals(Era.STATELESS.name()) ? Era.STATELESS : Era.HANDSHAKE;
    }

    private void settled(Readiness.Ready ready) {
        var connected = ready.connected();
        synchronized (this) {
            if (!(state instanceof ServerState.Starting)) {
                return;
            }
            state = new ServerState.Ready(connected);
        }
        surroundings.discoveries().remember(entry.id(), record(connected));
        readiness.complete(ready);
        var _ = connected.session().ended().thenAccept(this::fail);
    }

    private DiscoveryRecord record(Connected connected) {
        return new DiscoveryRecord(
                entryDigest,
                connected.session().era().name(),
                connected.session().protocolVersion(),
                connected.discoveredAt(),
                connected.catalog().tools().stream().map(Tool::name).toList());
    }

    private void fail(Problem raw) {
        var problem = new Problem(
                raw.code(),
                redactor().redact(raw.message()).text(),
                redactor().redact(raw.next()).text());
        StdioConnector running;
        synchronized (this) {
            if (state instanceof ServerState.Starting || state instanceof ServerState.Ready) {
                state = new ServerState.Failed(problem);
            }
            running = connector;
        }
        readiness.complete(new Readiness.NotReady(problem));
        if (running != null) {
            Threads.virtual("stop-" + entry.id(), () -> running.stop(timeouts().start(Timeout.CLOSE)));
        }
    }

    private Problem overdue() {
        var startup = timeouts().start(Timeout.STARTUP);
        return new Problem(
                ErrorCode.START_DEADLINE,
                "The server \"" + entry.id() + "\" was not ready within " + startup.describe() + ".",
                startup.howToRaise());
    }

    private Problem cancelledDuringStart() {
        return new Problem(
                ErrorCode.CANCELLED,
                "Cancelled while the server \"" + entry.id() + "\" was starting.",
                "Nothing was sent; call again when you like.");
    }

    private Problem stoppedProblem() {
        return new Problem(
                ErrorCode.SERVER_FAILED,
                "The server \"" + entry.id() + "\" was stopped with its host.",
                "Run the command again.");
    }
}
