package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Version;
import dev.postern.cli.Cli;
import dev.postern.cli.Forwarding;
import dev.postern.cli.render.Streams;
import dev.postern.cli.render.Terminal;
import dev.postern.control.ClientStreams;
import dev.postern.control.ControlServer;
import dev.postern.control.ControlService;
import dev.postern.control.Gatekeeper;
import dev.postern.control.RunRequest;
import dev.postern.control.SocketPlace;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.SharedHost;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import dev.postern.process.LaunchSpec;
import dev.postern.process.LedgerKin;
import dev.postern.process.RunLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The owning process at work: one host for everybody, and the control socket. Used once.
final class OwningWorker implements ControlService {
    /// For the last output of commands whose worker was told twice to end.
    private static final Duration HURRIED = Duration.ofMillis(300);

    private final LocalServices services;
    private final DataDirectory directory;
    private final Loaded.Ready configuration;
    private final Host host;
    private final SharedHost shared;
    private final Forwarding forwarding;
    private final WorkerLog log;
    private final Instant since;
    private final CountDownLatch toldToEnd = new CountDownLatch(1);
    private final Cancellation hurried = new Cancellation();
    private final AtomicInteger commands = new AtomicInteger();
    private int noticesLogged;

    OwningWorker(LocalServices services, DataDirectory directory, Loaded.Ready configuration, InstantSource time) {
        this.services = services;
        this.directory = directory;
        this.configuration = configuration;
        this.host = services.host(directory, configuration);
        this.shared = new SharedHost(host, ProcessTable.own().pid());
        this.forwarding = new Forwarding(configuration.config().directCalls());
        this.log = new WorkerLog(WorkerLog.in(directory.path()), time);
        this.since = time.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /// Serves until it is told to end, then ends everything it started. Only for the owner of the directory.
    @Nullable
    Problem serve(Cancellation cancellation, Runnable serving) {
        SocketPlace.Bound bound;
        try {
            bound = SocketPlace.bind(directory.run(), services.variable("XDG_RUNTIME_DIR"), Users.effectiveId());
            markDirectCalls();
        } catch (IOException e) {
            return SocketPlace.unusable(directory.run(), e);
        }
        Signals.handle(this::told);
        try (log;
                var _ = cancellation.listen(this::told);
                var server = new ControlServer(bound.channel(), gatekeeper(bound.path()), this)) {
            Threads.tellFaults(log::line);
            log.line("worker " + ProcessTable.own().pid() + " of version " + Version.TEXT + " takes commands");
            serving.run();
            awaitEnd();
            end(server, bound.path());
        }
        return null;
    }

    private Gatekeeper gatekeeper(Path socket) {
        return new Gatekeeper(socket, LaunchSpec.MARKER, new LedgerKin(new RunLedger(new DataPremises(directory))));
    }

    private void awaitEnd() {
        try {
            toldToEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// In the order that loses nothing: nobody new, then what is in flight, then what is left.
    private void end(ControlServer server, Path socket) {
        log.line("told to end; " + server.clients() + " commands are running");
        SocketPlace.remove(directory.run(), socket);
        unmarkDirectCalls();
        server.stopAccepting();
        server.awaitIdle(Deadline.after(Patience.toDrain(configuration.config()), Timeout.CALL), hurried);
        server.cancelAll();
        try (var _ = hurried.listen(host::hurry)) {
            for (var left : host.stop()) {
                log.line(left.message());
            }
        }
        server.awaitIdle(Deadline.after(Patience.GRACE, Timeout.CLOSE), hurried);
        server.awaitIdle(Deadline.after(HURRIED, Timeout.CLOSE), new Cancellation());
        log.line("worker " + ProcessTable.own().pid() + " has ended");
    }

    /// A signal, a cancel or a client says so: the first time to end, the second time at once (WRK-4).
    private synchronized void told() {
        if (toldToEnd.getCount() == 0 && !hurried.requested()) {
            log.line("told again: ending at once");
            hurried.request();
        }
        toldToEnd.countDown();
    }

    @Override
    public Duration patience() {
        return Patience.toEnd(configuration.config());
    }

    @Override
    public void stop() {
        if (toldToEnd.getCount() > 0) {
            told();
        }
    }

    @Override
    public void log(String event) {
        log.line(event);
    }

    @Override
    public @Nullable Refusal refusal(RunRequest request) {
        if (!sameDirectory(request.dataDir())) {
            return new Refusal(
                    false,
                    new Problem(
                            ErrorCode.WORKER_REFUSED,
                            "This worker owns " + directory.path() + ", not " + request.dataDir() + ".",
                            "Run `postern worker restart`."));
        }
        return forwarding.takes(request.arguments())
                ? null
                : new Refusal(
                        true,
                        new Problem(ErrorCode.WORKER_REFUSED, "The worker does not run this command for others.", ""));
    }

    private boolean sameDirectory(Path other) {
        try {
            return Files.isSameFile(directory.path(), other);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public int run(RunRequest request, ClientStreams client, Cancellation cancellation) {
        var terminal = new Terminal(
                request.terminal(0),
                request.terminal(1),
                request.terminal(2),
                request.columns(),
                request.colour(),
                null);
        var cli = new Cli(
                new Streams(client.in(), client.out(), client.err()),
                terminal,
                new ForwardedServices(services, configuration, shared, request, client),
                cancellation,
                forwarding);
        int code;
        commands.incrementAndGet();
        try {
            code = cli.run(request.arguments());
        } finally {
            commands.decrementAndGet();
        }
        log.line(Forwarding.nameOf(request.arguments()) + " ended with " + code);
        logNotices();
        return code;
    }

    /// What the host found when it started its first server concerns no single command.
    private synchronized void logNotices() {
        var notices = host.notices();
        notices.subList(noticesLogged, notices.size()).forEach(log::line);
        noticesLogged = notices.size();
    }

    @Override
    public ObjectNode status() {
        var status = JsonNodeFactory.instance
                .objectNode()
                .put("pid", ProcessTable.own().pid())
                .put("since", since.toString())
                .put("version", Version.TEXT)
                .put("configChanged", services.configurationChanged(directory, configuration))
                .put("commands", commands.get());
        var servers = status.putArray("servers");
        for (var server : host.status().servers()) {
            var item = servers.addObject()
                    .put("id", server.id())
                    .put("state", server.state())
                    .put("pid", server.pid());
            var problem =
                    server.diagnostics().isEmpty() ? null : server.diagnostics().getFirst();
            if (problem != null) {
                item.putObject("problem")
                        .put("code", problem.code().code())
                        .put("message", problem.message())
                        .put("next", problem.next());
            }
        }
        return status;
    }

    /// The launcher looks for it before it forwards a call.
    private void markDirectCalls() throws IOException {
        unmarkDirectCalls();
        if (forwarding.calls()) {
            WorkerLog.makePrivateFile(directCalls());
        }
    }

    private void unmarkDirectCalls() {
        try {
            Files.deleteIfExists(directCalls());
        } catch (IOException e) {
            // The worker itself decides; a stale mark costs a client one question.
        }
    }

    private Path directCalls() {
        return directory.run().resolve("direct-calls");
    }
}
