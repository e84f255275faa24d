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
import dev.postern.control.ControlService;
import dev.postern.control.Ownership;
import dev.postern.control.RunRequest;
import dev.postern.control.SocketPlace;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.SharedHost;
import dev.postern.host.StoredRecords;
import dev.postern.natives.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The owning process at work: one host for everybody, and the control socket. Used once.
final class OwningWorker implements ControlService {
    /// Within which a client finds what somebody removed, and a second owner is noticed where locks are weak.
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(1);

    /// For the last output of commands whose worker was told twice to end.
    private static final Duration HURRIED = Duration.ofMillis(300);

    private final LocalServices services;
    private final DataDirectory directory;
    private final Loaded.Ready configuration;
    private final StoredRecords.Opening recorded;
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
        var recording = new Recording(directory, time);
        var store = recording.toWrite();
        this.recorded = () -> recording.toRead(store);
        this.host = services.host(directory, configuration, store);
        this.shared = new SharedHost(host, ProcessTable.own().pid());
        this.forwarding = new Forwarding(configuration.config().directCalls());
        this.log = new WorkerLog(WorkerLog.in(directory.path()), time);
        this.since = time.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /// Serves until it is told to end, or the directory is not its own any more; then ends everything it started.
    ///
    /// @return why it could not serve, or had to end; null after an end that was asked for
    @Nullable
    Problem serve(Ownership ownership, Cancellation cancellation, Runnable serving) {
        Presence presence;
        try {
            presence =
                    new Presence(directory, ownership, services.variable("XDG_RUNTIME_DIR"), forwarding.calls(), this);
        } catch (IOException e) {
            return SocketPlace.unusable(directory.run(), e);
        }
        Signals.handle(this::told);
        try (log;
                presence;
                var _ = cancellation.listen(this::told)) {
            Threads.tellFaults(log::line);
            log.line("worker " + ProcessTable.own().pid() + " of version " + Version.TEXT + " takes commands");
            serving.run();
            var lost = awaitEnd(presence);
            end(presence, lost);
            return lost;
        }
    }

    /// @return why it has to end without having been told
    private @Nullable Problem awaitEnd(Presence presence) {
        @Nullable Problem lost = null;
        try {
            while (lost == null && !toldToEnd.await(BETWEEN_CHECKS.toNanos(), TimeUnit.NANOSECONDS)) {
                lost = presence.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lost;
    }

    /// In the order that loses nothing: nothing new, then what is in flight, then what is left. Clients that come
    /// meanwhile may still ask what the worker holds.
    private void end(Presence presence, @Nullable Problem lost) {
        toldToEnd.countDown();
        var server = presence.server();
        log.line((lost == null ? "told to end" : "ending without being told: " + lost.message()) + "; "
                + server.clients() + " commands are running");
        presence.unmarkDirectCalls();
        host.windDown();
        server.awaitIdle(Deadline.after(Patience.toDrain(configuration.config()), Timeout.CALL), hurried);
        server.cancelAll();
        try (var _ = hurried.listen(host::hurry)) {
            for (var left : host.stop()) {
                log.line(left.message());
            }
        }
        server.awaitIdle(Deadline.after(Patience.GRACE, Timeout.CLOSE), hurried);
        server.awaitIdle(Deadline.after(HURRIED, Timeout.CLOSE), new Cancellation());
        presence.close();
        log.line("worker " + ProcessTable.own().pid() + " has ended");
    }

    /// A signal, a cancel or a client says so: the first time to end, the second time at once (WRK-4).
    private synchronized void told() {
        if (ending() && !hurried.requested()) {
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
        if (!ending()) {
            told();
        }
    }

    private boolean ending() {
        return toldToEnd.getCount() == 0;
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
        if (ending()) {
            return new Refusal(true, new Problem(ErrorCode.WORKER_BUSY, "The worker is ending.", ""));
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
                new ForwardedServices(services, configuration, shared, recorded, request, client),
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
                .put("ending", ending())
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
}
