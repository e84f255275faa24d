package dev.postern.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A process of [CallingMain] that is killed in the end, and what it said.
record CallingProcess(Process process, BufferedReader out) {
    static CallingProcess start(Path directory, int callers, int calls, int stopAt) throws IOException {
        return start(List.of(), directory, callers, calls, stopAt);
    }

    static CallingProcess start(List<String> through, Path directory, int callers, int calls, int stopAt)
            throws IOException {
        var command = new ArrayList<>(through);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dpostern.sqlite=" + System.getProperty("postern.sqlite"),
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-cp",
                System.getProperty("java.class.path"),
                CallingMain.class.getName(),
                directory.resolve("postern.db").toString(),
                Integer.toString(callers),
                Integer.toString(calls),
                Integer.toString(stopAt)));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new CallingProcess(process, process.inputReader(StandardCharsets.UTF_8));
    }

    List<String> until(String last) throws IOException {
        var said = new ArrayList<String>();
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            said.add(line);
            if (line.equals(last)) {
                return said;
            }
        }
        throw new AssertionError("ended without having said " + last + ": " + said);
    }

    List<String> lines(int count) throws IOException {
        var said = new ArrayList<String>();
        while (said.size() < count) {
            said.add(Objects.requireNonNull(out.readLine(), () -> "ended early: " + said));
        }
        return said;
    }

    /// SIGKILL; what it has said before can still be read.
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /// What it had said before it died; the last line may be broken off, and counts for nothing.
    List<String> rest() throws IOException {
        var text = new StringBuilder();
        var buffer = new char[8_192];
        for (int read = out.read(buffer); read >= 0; read = out.read(buffer)) {
            text.append(buffer, 0, read);
        }
        int end = text.lastIndexOf("\n");
        return end < 0 ? List.of() : text.substring(0, end).lines().toList();
    }
}
