package dev.postern.process;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Programs of our own that are no servers: a worker that outlives who started it, and the system's own tools. They
/// have our environment, and of our standard streams none.
public final class Background {
    private final Process process;

    private Background(Process process) {
        this.process = process;
    }

    /// Starts `command` in a session of its own, where the system has a `setsid`, so that no terminal's end or
    /// Ctrl-C reaches it. Its outputs are appended to `outputs`.
    public static Background start(List<String> command, Path outputs) throws IOException {
        var words = new ArrayList<String>();
        var session = Toolbox.system().find("setsid");
        if (session != null) {
            words.add(session);
        }
        words.addAll(command);
        return new Background(Orphans.OF_THIS_PROCESS.start(new ProcessBuilder(words)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(outputs.toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(outputs.toFile()))));
    }

    /// How it ended, after at most `patience`; null while it runs.
    public @Nullable Exit await(Duration patience) {
        try {
            return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS) ? new Exit(process.exitValue()) : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Sends SIGTERM to the process that was written down, unless that is gone.
    ///
    /// @return whether it was sent
    public static boolean terminate(ProcessIdentity written) {
        // The handle first: it goes on meaning the process that the check below is about, or none.
        var handle = ProcessHandle.of(written.pid());
        return handle.isPresent()
                && ProcessTable.life(written) == ProcessTable.Life.ALIVE
                && handle.get().destroy();
    }

    /// Runs a tool of the system to its end, at most `patience` long. Its output is dropped.
    ///
    /// @return whether it is there and ended with 0
    public static boolean succeeds(Duration patience, String tool, String... arguments) {
        var program = Toolbox.system().find(tool);
        if (program == null) {
            return false;
        }
        var words = new ArrayList<String>(List.of(program));
        words.addAll(List.of(arguments));
        try {
            var process = Orphans.OF_THIS_PROCESS.start(new ProcessBuilder(words)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD));
            if (process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
