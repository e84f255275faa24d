package dev.postern.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.cli.Services;
import dev.postern.cli.Worker;
import dev.postern.control.Client;
import dev.postern.control.Ownership;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.natives.ProcessTable;
import dev.postern.process.Background;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The worker, as a command of its owner reaches it.
final class LocalWorker implements Worker {
    /// For one answer of a worker that is not stuck.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// A command has no time to wait for a remark.
    private static final Duration GLANCE = Duration.ofMillis(300);

    /// For a worker whose configuration can't be read.
    private static final Duration UNKNOWN = Duration.ofSeconds(90);

    private static final Duration STEP = Duration.ofMillis(20);

    private final LocalServices services;
    private final InstantSource time;

    LocalWorker(LocalServices services, InstantSource time) {
        this.services = services;
        this.time = time;
    }

    @Override
    public @Nullable Problem run(
            DataDirectory directory, Loaded.Ready configuration, Cancellation cancellation, Runnable serving) {
        var unusable = directory.createRun();
        if (unusable != null) {
            return unusable;
        }
        return switch (Ownership.take(directory.run())) {
            case Ownership.Taken.Not not -> not.problem();
            case Ownership.Taken.Ours ours -> {
                try (var ownership = ours.ownership()) {
                    yield new OwningWorker(services, directory, configuration, time)
                            .serve(ownership, cancellation, serving);
                }
            }
        };
    }

    @Override
    public Answer<ObjectNode> status(DataDirectory directory) {
        return status(directory, PATIENCE);
    }

    private static Answer<ObjectNode> status(DataDirectory directory, Duration patience) {
        try (var client = Client.connect(directory.run(), patience)) {
            return client == null ? new Answer.Not<>(absent(directory)) : client.status();
        }
    }

    /// As [#status(DataDirectory)], of a worker that goes on taking commands.
    private static Answer<ObjectNode> serving(DataDirectory directory, Duration patience) {
        var status = status(directory, patience);
        return status instanceof Answer.Here<ObjectNode>(ObjectNode worker)
                        && worker.path("ending").asBoolean()
                ? new Answer.Not<>(absent(directory))
                : status;
    }

    private static Problem absent(DataDirectory directory) {
        var owner = owner(directory);
        return owner == null
                ? new Problem(
                        ErrorCode.WORKER_ABSENT,
                        "No worker runs for the data directory " + directory.path() + ".",
                        "Start one with `postern worker start`.")
                : new Problem(
                        ErrorCode.WORKER_BUSY,
                        "The worker, process " + owner.pid() + ", is starting or ending, and takes no commands.",
                        "Wait a moment, then run the command again. If that does not help, `kill " + owner.pid()
                                + "` ends it.");
    }

    private static @Nullable ProcessIdentity owner(DataDirectory directory) {
        return Ownership.owner(directory.run());
    }

    /// The worker's process, if it holds an instance of `server` right now.
    @Nullable
    Long holderOf(DataDirectory directory, String server) {
        if (status(directory, GLANCE) instanceof Answer.Here<ObjectNode>(ObjectNode worker)) {
            for (var each : worker.path("servers")) {
                if (each.path("id").asText().equals(server) && each.path("pid").isNumber()) {
                    return worker.path("pid").asLong();
                }
            }
        }
        return null;
    }

    @Override
    public Answer<Started> start(DataDirectory directory) {
        return switch (settled(directory)) {
            case Answer.Here<ObjectNode> runs ->
                new Answer.Here<>(new Started(runs.value().path("pid").asLong(), true));
            case Answer.Not<ObjectNode> not when owner(directory) != null -> new Answer.Not<>(not.problem());
            case Answer.Not<ObjectNode> _ ->
                new WorkerStart(directory).await(() -> serving(directory, PATIENCE), () -> owner(directory) != null);
        };
    }

    /// Waits while a worker is starting or ending.
    private Answer<ObjectNode> settled(DataDirectory directory) {
        var status = serving(directory, PATIENCE);
        var most = Deadline.after(patience(directory).plus(PATIENCE), Timeout.CLOSE);
        while (status instanceof Answer.Not<ObjectNode> && owner(directory) != null && !most.expired()) {
            Threads.pause(STEP);
            status = serving(directory, GLANCE);
        }
        return status;
    }

    /// What is ended is whoever answers at the socket. While nobody does, the owner of the lock may be starting, or
    /// ending
    /// already, which a signal would hurry (WRK-4), or about to make its socket anew: that is waited for.
    @Override
    public Answer<Long> stop(DataDirectory directory) {
        var owner = owner(directory);
        var asked = ask(directory);
        if (asked != null || owner == null) {
            return asked == null ? new Answer.Not<>(absent(directory)) : asked;
        }
        var patience = Deadline.after(patience(directory).plus(PATIENCE), Timeout.CLOSE);
        while (ProcessTable.life(owner) != ProcessTable.Life.DEAD) {
            if (patience.expired()) {
                return new Answer.Not<>(late(
                        owner,
                        "takes no commands, and has not ended by itself",
                        "See `postern worker logs`; `kill " + owner.pid() + "` ends it."));
            }
            Threads.pause(STEP);
            asked = ask(directory);
            if (asked != null) {
                return asked;
            }
        }
        return new Answer.Here<>(owner.pid());
    }

    /// Null when nobody listens.
    private @Nullable Answer<Long> ask(DataDirectory directory) {
        try (var client = Client.connect(directory.run(), PATIENCE)) {
            if (client == null) {
                return null;
            }
            var owner = owner(directory);
            return switch (client.stop()) {
                case Answer.Not<Client.Stopping> not when owner == null -> new Answer.Not<>(not.problem());
                case Answer.Not<Client.Stopping> not -> terminate(directory, owner, not.problem());
                case Answer.Here<Client.Stopping>(Client.Stopping told) -> {
                    var process = told.process() == null ? owner : told.process();
                    yield process == null
                            ? new Answer.Not<>(absent(directory))
                            : awaitEnd(process, told.patience().plus(PATIENCE));
                }
            };
        }
    }

    /// What refuses a request, being busy or of another version, still ends with a signal. What is silent may have
    /// taken the request: a signal would be the second wish, which hurries it (WRK-4).
    private Answer<Long> terminate(DataDirectory directory, ProcessIdentity owner, Problem refused) {
        return refused.code() != ErrorCode.WORKER_FAILED && Background.terminate(owner)
                ? awaitEnd(owner, patience(directory).plus(PATIENCE))
                : new Answer.Not<>(refused);
    }

    /// As far as its configuration tells, which may have changed since.
    private Duration patience(DataDirectory directory) {
        return services.configuration(directory, Services.Environment.IGNORED) instanceof Loaded.Ready ready
                ? Patience.toEnd(ready.config())
                : UNKNOWN;
    }

    private static Answer<Long> awaitEnd(ProcessIdentity owner, Duration most) {
        var patience = Deadline.after(most, Timeout.CLOSE);
        while (ProcessTable.life(owner) != ProcessTable.Life.DEAD) {
            if (patience.expired()) {
                return new Answer.Not<>(late(
                        owner,
                        "was told to end and has not yet",
                        "See `postern worker logs`; a second `kill " + owner.pid() + "` hurries it."));
            }
            Threads.pause(STEP);
        }
        return new Answer.Here<>(owner.pid());
    }

    private static Problem late(ProcessIdentity owner, String otherwise, String next) {
        return new Problem(
                ErrorCode.WORKER_FAILED, "The worker, process " + owner.pid() + ", " + otherwise + ".", next);
    }

    @Override
    public Path log(DataDirectory directory) {
        return WorkerLog.in(directory.path());
    }

    @Override
    public Answer<List<String>> install(DataDirectory directory) {
        return unit(directory).install(patience(directory));
    }

    @Override
    public Answer<List<String>> uninstall(DataDirectory directory) {
        return unit(directory).uninstall();
    }

    private WorkerUnit unit(DataDirectory directory) {
        return new WorkerUnit(services::variable, directory, services.usual(directory));
    }
}
