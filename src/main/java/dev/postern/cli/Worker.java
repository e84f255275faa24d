package dev.postern.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Problem;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The process that owns a data directory for as long as it runs, and the ways to it (WRK).
public interface Worker {
    /// Makes this process the worker, and returns when it was told to end and has.
    ///
    /// @param cancellation ends it as SIGTERM does
    /// @param serving told once, when commands are taken
    /// @return why it could not, null after an orderly end
    @Nullable
    Problem run(DataDirectory directory, Loaded.Ready configuration, Cancellation cancellation, Runnable serving);

    /// What the running worker says of itself: `pid`, `since`, `version`, `ending`, `configChanged`, `commands`,
    /// `servers[]` of `{id, state, pid, problem?}`. `commands` counts those it is running. `worker.absent` when
    /// none runs. Starts nothing.
    Answer<ObjectNode> status(DataDirectory directory);

    /// Starts a worker in the background and returns when it answers; one that runs already will do.
    Answer<Started> start(DataDirectory directory);

    /// Ends the running worker and returns its pid when it has ended.
    Answer<Long> stop(DataDirectory directory);

    /// Its log, which need not exist; older parts have `.1` to `.4` behind the name.
    Path log(DataDirectory directory);

    /// Has the system start a worker of this directory with the user's session.
    ///
    /// @return what was done, and what is left to do by hand
    Answer<List<String>> install(DataDirectory directory);

    /// Undoes [#install].
    Answer<List<String>> uninstall(DataDirectory directory);

    /// A worker that answers.
    ///
    /// @param already it ran before
    record Started(long pid, boolean already) {}
}
