package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.process.Containment.Kind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A host that is killed while it launches a server that reads nothing and heeds nothing, or while it writes to it.
/// Says `go` before the first step and `up` when the server runs.
final class DoomedHostMain implements InstanceListener {
    /// Names the run in the environment of everything that the server starts.
    static final String VARIABLE = "DOOMED_RUN";

    private static final PrintStream OUT = System.out;

    private DoomedHostMain() {}

    /// Arguments: the strongest kind of containment, the data directory, the value of [#VARIABLE].
    public static void main(String... args) {
        var environment = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", VARIABLE, args[2]);
        var spec = new LaunchSpec(
                "doomed", "/bin/sh", List.of("-c", "sleep 300 & exec sleep 300"), null, environment, Map.of());
        var launcher = new Launcher(Toolbox.system(), Kind.valueOf(args[0]), new TestPremises(Path.of(args[1])));
        OUT.println("go");
        var deadline = Deadline.after(Duration.ofSeconds(20), Timeout.STARTUP);
        switch (launcher.launch(spec, new DoomedHostMain(), Duration.ofSeconds(60), deadline)) {
            case Launcher.Launch.Failed failed -> OUT.println(failed.problem());
            case Launcher.Launch.Started started -> {
                OUT.println("up");
                // A pipe takes 64 KiB: the rest stays in the middle of being written.
                var _ = started.instance().write(new byte[200_000]).join();
            }
        }
    }

    @Override
    public void output(byte[] buffer, int count) {}

    @Override
    public void ended(Ending ending) {
        OUT.println(ending);
    }
}
