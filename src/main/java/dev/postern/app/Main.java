package dev.postern.app;

import dev.postern.base.Cancellation;
import dev.postern.base.Threads;
import dev.postern.cli.Cli;
import dev.postern.cli.render.Streams;
import dev.postern.natives.Readers;
import dev.postern.secret.source.HostEnvironment;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Where the program starts. A command does not boot Quarkus: it wires what it needs by hand, in a fraction of
/// the time.
@QuarkusMain
public final class Main {
    /// A fault of ours (CLI-5).
    private static final int BROKEN = 1;

    private Main() {}

    /// Runs one command and ends the process with its exit code (CLI-5).
    public static void main(String... args) {
        var streams = new Streams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Readers::haveLeft);
        Threads.tellFaults(text -> say(streams, text));
        int code = BROKEN;
        try {
            code = run(streams, List.of(args));
        } catch (Throwable fault) {
            say(streams, "Postern failed: " + fault.getClass().getSimpleName());
        } finally {
            System.exit(code);
        }
    }

    /// When not even the commands' own way to report a fault is left, as without file descriptors: a thread
    /// that waits for a server must not keep such a program alive. The fault's message may hold a secret
    /// (SEC-5).
    private static void say(Streams streams, String fault) {
        try {
            var line = "error: " + fault + ".\n";
            streams.err().write(line.getBytes(StandardCharsets.UTF_8));
            streams.err().flush();
        } catch (IOException nobodyListens) {
            // The exit code tells.
        }
    }

    /// Runs one command to its end, whatever the signals do, and gives its exit code.
    static int run(Streams streams, List<String> words) {
        var environment = HostEnvironment.ofProcess();
        var cancellation = new Cancellation();
        var services = new LocalServices(environment, Path.of("").toAbsolutePath(), InstantSource.system());
        var cli = new Cli(streams, SystemTerminal.find(environment), services, cancellation);
        var ending = new Ending(cancellation, new Ending.Servers(services::hasServers, services::hurry), cli::abandon);
        ending.watch();
        int code = BROKEN;
        try {
            code = cli.run(words);
        } finally {
            ending.ended(code);
        }
        return code;
    }
}
