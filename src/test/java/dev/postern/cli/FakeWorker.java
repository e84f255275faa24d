package dev.postern.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A worker that a test decides; none runs at first.
final class FakeWorker implements Worker {
    static final Problem ABSENT = new Problem(
            ErrorCode.WORKER_ABSENT,
            "No worker runs for the data directory DATA.",
            "Start one with `postern worker start`.");

    @Nullable
    Problem ran;

    Answer<ObjectNode> status = new Answer.Not<>(ABSENT);
    Answer<Started> started = new Answer.Here<>(new Started(4711, false));
    Answer<Long> stopped = new Answer.Not<>(ABSENT);

    @Override
    public @Nullable Problem run(
            DataDirectory directory, Loaded.Ready configuration, Cancellation cancellation, Runnable serving) {
        serving.run();
        return ran;
    }

    @Override
    public Answer<ObjectNode> status(DataDirectory directory) {
        return status;
    }

    @Override
    public Answer<Started> start(DataDirectory directory) {
        return started;
    }

    @Override
    public Answer<Long> stop(DataDirectory directory) {
        return stopped;
    }

    @Override
    public Path log(DataDirectory directory) {
        return directory.path().resolve("logs/worker.log");
    }

    @Override
    public Answer<List<String>> install(DataDirectory directory) {
        return new Answer.Here<>(List.of("Wrote UNIT."));
    }

    @Override
    public Answer<List<String>> uninstall(DataDirectory directory) {
        return new Answer.Here<>(List.of("Removed UNIT."));
    }
}
