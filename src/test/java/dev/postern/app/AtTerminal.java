package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.app.ScriptRun.Started;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A command of the packaged program at a terminal of its own, and that terminal's keyboard.
final class AtTerminal implements AutoCloseable {
    private static final Path SCRIPT = Path.of("/usr/bin/script");

    private final Started started;
    private final RandomAccessFile keys;

    private AtTerminal(Started started, RandomAccessFile keys) {
        this.started = started;
        this.keys = keys;
    }

    /// Starts it; skips the test where nothing can make a terminal.
    ///
    /// @param words quoted for a shell
    static AtTerminal start(ChatKit kit, Path dir, String words) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SCRIPT), "skipped: there is no script(1) of util-linux to make a terminal");
        var keyboard = dir.resolve("keyboard");
        assertThat(new ProcessBuilder("mkfifo", keyboard.toString()).start().waitFor())
                .isZero();
        // Opened for both, so that neither side waits for the other.
        var keys = new RandomAccessFile(keyboard.toFile(), "rw");
        var started = kit.environment(ScriptRun.of(
                        "/bin/sh",
                        "-c",
                        "exec " + SCRIPT + " -qec \"$0\" /dev/null <\"$1\"",
                        "'" + ScriptTree.REAL_LAUNCHER + "' " + words,
                        keyboard))
                .with("SHELL", "/bin/sh")
                .with("TERM", "dumb")
                .start();
        return new AtTerminal(started, keys);
    }

    /// Waits until this was shown.
    void awaits(String text) {
        await().atMost(WorkerKit.PATIENCE).until(() -> started.out().contains(text));
    }

    void type(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Both outputs are in the first.
    Ended end() {
        return started.end();
    }

    @Override
    public void close() throws IOException {
        keys.close();
        if (Files.exists(started.outFile())) {
            started.process().destroyForcibly();
        }
    }
}
