package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.process.Containment.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What containment costs at each start of a server: from the call until a program that speaks at once was heard,
/// and the launcher has returned. Run by `deploy/bench/launch.sh`; variants take turns, so that a busy machine is
/// busy for all of them.
final class LaunchBench {
    private static final PrintStream OUT = System.out;
    private static final int WARM_UP = 10;
    private static final List<String> SPEAKS = List.of("-c", "echo up; exec cat");
    private static final LaunchSpec SPEC =
            new LaunchSpec("bench", "/bin/sh", SPEAKS, null, Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"), Map.of());

    private LaunchBench() {}

    /// Arguments: how often, and a directory for the run ledger.
    public static void main(String... args) throws Exception {
        int times = Integer.parseInt(args[0]);
        var premises = new TestPremises(Path.of(args[1]));
        Map<String, List<Long>> taken = new LinkedHashMap<>();
        for (int i = -WARM_UP; i < times; i++) {
            note(taken, i, "plain", plain());
            for (Kind kind : Kinds.all()) {
                note(taken, i, kind.word(), launched(new Launcher(Toolbox.system(), kind, premises)));
            }
        }
        double plain = median(taken.getOrDefault("plain", List.of(0L)));
        OUT.printf("%-12s %9s %9s %9s %9s%n", "started as", "median", "min", "max", "over plain");
        taken.forEach((variant, nanos) -> OUT.printf(
                "%-12s %9.1f %9.1f %9.1f %9.1f%n",
                variant,
                median(nanos),
                nanos.stream().mapToLong(each -> each).min().orElse(0) / 1e6,
                nanos.stream().mapToLong(each -> each).max().orElse(0) / 1e6,
                median(nanos) - plain));
        try (var left = Files.list(premises.run())) {
            OUT.println("entries left in the run ledger: " + left.count());
        }
        System.exit(0);
    }

    private static void note(Map<String, List<Long>> taken, int round, String variant, long nanos) {
        List<Long> all = taken.computeIfAbsent(variant, key -> new ArrayList<>());
        if (round >= 0) {
            all.add(nanos);
        }
    }

    private static long plain() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh"));
        command.addAll(SPEAKS);
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(SPEC.environment());
        long begin = System.nanoTime();
        Process process = builder.start();
        if (process.getInputStream().read() != 'u') {
            throw new IOException("it did not speak");
        }
        long taken = System.nanoTime() - begin;
        process.getOutputStream().close();
        process.waitFor();
        return taken;
    }

    private static long launched(Launcher launcher) {
        var heard = new CompletableFuture<Long>();
        var listener = new InstanceListener() {
            @Override
            public void output(byte[] buffer, int count) {
                heard.complete(System.nanoTime());
            }

            @Override
            public void ended(Ending ending) {}
        };
        long begin = System.nanoTime();
        var launch = launcher.launch(SPEC, listener, Duration.ofSeconds(10), deadline());
        long returned = System.nanoTime();
        if (!(launch instanceof Launcher.Launch.Started(Instance instance))) {
            throw new IllegalStateException(launch.toString());
        }
        long taken = Math.max(heard.join(), returned) - begin;
        instance.stop(deadline());
        return taken;
    }

    private static Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(10), Timeout.STARTUP);
    }

    private static double median(List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(each -> each).toArray();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2e6;
    }
}
