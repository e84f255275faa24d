package dev.postern.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.cli.Worker.Started;
import dev.postern.datadir.DataDirectory;
import dev.postern.process.Background;
import dev.postern.process.Exit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts a worker in the background: the launcher anew, in a session of its own, with this process's
/// environment. What it says before it has a log goes to `logs/worker.out`, which each start begins anew.
final class WorkerStart {
    /// A first start may have to make the cache of loaded classes.
    private static final Duration MOST = Duration.ofSeconds(60);

    private static final Duration STEP = Duration.ofMillis(20);
    private static final int TAIL_BYTES = 2_000;

    private final DataDirectory directory;

    WorkerStart(DataDirectory directory) {
        this.directory = directory;
    }

    /// @param status asks the worker, whichever answers
    /// @param owned whether a living process owns the directory
    Answer<Started> await(Supplier<Answer<ObjectNode>> status, BooleanSupplier owned) {
        var launcher = System.getProperty("postern.launcher");
        if (launcher == null) {
            return new Answer.Not<>(failed(
                    "This program was not started by its launcher, and does not know how to start another.",
                    "Use deploy/postern."));
        }
        var unusable = directory.createRun();
        if (unusable != null) {
            return new Answer.Not<>(unusable);
        }
        var outputs = directory.path().resolve("logs/worker.out");
        try {
            Files.deleteIfExists(outputs);
            WorkerLog.makePrivateFile(outputs);
            var started = Background.start(
                    List.of(launcher, "--data-dir", directory.path().toString(), "worker", "run"), outputs);
            return await(started, status, owned, outputs);
        } catch (IOException e) {
            return new Answer.Not<>(failed(
                    "The worker could not be started: " + IoReason.of(e) + ".",
                    "Check that " + outputs + " can be written, and that " + launcher + " runs."));
        }
    }

    private static Answer<Started> await(
            Background started, Supplier<Answer<ObjectNode>> status, BooleanSupplier owned, Path outputs) {
        var patience = Deadline.after(MOST, Timeout.STARTUP);
        boolean waiting = true;
        @Nullable Exit exit = null;
        while (waiting && !patience.expired()) {
            if (status.get() instanceof Answer.Here<ObjectNode> here) {
                // The one that lost a race with ours answers for both.
                return new Answer.Here<>(new Started(here.value().path("pid").asLong(), exit != null));
            }
            if (exit == null) {
                exit = started.await(STEP);
            } else {
                // Ours has lost to another, perhaps: that is what is waited for then, and nothing else.
                waiting = owned.getAsBoolean();
                Threads.pause(STEP);
            }
        }
        var said = tail(outputs);
        return new Answer.Not<>(failed(
                (exit == null
                                ? "The worker does not answer after " + MOST.toSeconds() + " seconds"
                                : "The worker ended while it started (" + exit.describe() + ")")
                        + (said.isEmpty() ? "." : ": " + said),
                "All it said is in " + outputs + "."));
    }

    private static String tail(Path file) {
        try (var from = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(from.length(), TAIL_BYTES)];
            from.seek(from.length() - bytes.length);
            from.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).strip().replaceAll("\\s*\n\\s*", " ");
        } catch (IOException e) {
            return "";
        }
    }

    private static Problem failed(String message, String next) {
        return new Problem(ErrorCode.WORKER_FAILED, message, next);
    }
}
