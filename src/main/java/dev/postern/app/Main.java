package dev.postern.app;

import dev.postern.base.Cancellation;
import dev.postern.cli.Cli;
import dev.postern.cli.render.Streams;
import dev.postern.secret.source.HostEnvironment;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Where the program starts. A command does not boot Quarkus: it wires what it needs by hand, in a fraction of
/// the time.
@QuarkusMain
public final class Main {
    private Main() {}

    /// Runs one command and ends the process with its exit code (CLI-5).
    public static void main(String... args) {
        var streams = new Streams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err));
        System.exit(run(streams, List.of(args)));
    }

    /// Runs one command to its end, whatever the signals do, and gives its exit code.
    static int run(Streams streams, List<String> words) {
        var environment = HostEnvironment.ofProcess();
        var cancellation = new Cancellation();
        var services = new LocalServices(environment, Path.of("").toAbsolutePath(), InstantSource.system());
        var cli = new Cli(streams, SystemTerminal.find(environment), services, cancellation);
        var ending = new Ending(cancellation, services::hasServers, cli::abandon);
        ending.watch();
        int code = cli.run(words);
        ending.ended(code);
        return code;
    }
}
