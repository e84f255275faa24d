package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// A command line to start with nothing of this JVM's environment, and with both of its outputs kept in files.
final class ScriptRun {
    private static final long SECONDS = 120;

    /// Who runs these tests in the background has SIGINT ignored, and whoever is started inherits that.
    private static final List<String> SIGNALS_AS_USUAL = signalsAsUsual();

    private final List<String> command = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private Path directory = Path.of("/");

    private ScriptRun() {}

    private static List<String> signalsAsUsual() {
        var prefix = List.of("/usr/bin/env", "--default-signal=INT");
        var attempt = new ArrayList<>(prefix);
        attempt.add("true");
        try {
            boolean known = new ProcessBuilder(attempt).start().waitFor() == 0;
            return known ? prefix : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static ScriptRun of(Object... command) {
        ScriptRun run = new ScriptRun();
        for (Object word : command) {
            run.command.add(word.toString());
        }
        return run.with("PATH", "/usr/local/bin:/usr/bin:/bin");
    }

    ScriptRun with(String name, Object value) {
        environment.put(name, value.toString());
        return this;
    }

    ScriptRun without(String name) {
        environment.remove(name);
        return this;
    }

    ScriptRun in(Path where) {
        directory = where;
        return this;
    }

    /// Standard input is empty.
    Started start() {
        try {
            Path outputs = Files.createTempDirectory("postern-run");
            Path out = outputs.resolve("out");
            Path err = outputs.resolve("err");
            List<String> words = new ArrayList<>(SIGNALS_AS_USUAL);
            words.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            return new Started(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Ended run() {
        return start().end();
    }

    record Started(Process process, Path outFile, Path errFile) {
        /// What it has written to standard output so far.
        String out() {
            return read(outFile);
        }

        String err() {
            return read(errFile);
        }

        Ended end() {
            try {
                boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
                if (!ended) {
                    process.destroyForcibly().waitFor();
                }
                Ended result = new Ended(process.exitValue(), out(), err(), process.pid());
                Files.delete(outFile);
                Files.delete(errFile);
                Files.delete(outFile.toAbsolutePath().getParent());
                assertThat(ended).as("ended by itself: %s", result).isTrue();
                return result;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    record Ended(int exit, String out, String err, long pid) {}
}
