package dev.postern.process;

import dev.postern.process.Containment.Kind;
import dev.postern.testkit.Script;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A [HostMain] that a test runs.
final class Host implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private Host(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /// @param wrapper programs in front of the host, `setpriv` for one
    /// @param environment of the host, besides its usual one
    static Host start(Kind kind, Script script, List<String> wrapper, Map<String, String> environment) {
        List<String> arguments = new ArrayList<>(List.of(kind.name(), script.command()));
        arguments.addAll(script.args());
        return start(HostMain.class, arguments, wrapper, environment);
    }

    /// One that knows the system's tools in the directory `tools`, and no others.
    static Host start(Path tools, Script script, List<String> wrapper) {
        List<String> arguments = new ArrayList<>(List.of(Kind.BWRAP + ":" + tools, script.command()));
        arguments.addAll(script.args());
        return start(HostMain.class, arguments, wrapper, Map.of());
    }

    static Host start(Class<?> main, List<String> arguments, List<String> wrapper, Map<String, String> environment) {
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED"));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            return new Host(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    String read() {
        try {
            return String.valueOf(out.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Shakes hands and calls a tool; its answer's line.
    String call(String tool, String arguments) {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}");
        read();
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}");
        return read();
    }

    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        endInput();
        process.destroyForcibly();
    }
}
