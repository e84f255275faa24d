package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A host is killed at a random moment of a launch, and the next one starts.
@Tag("P14")
@Tag("PRC-4")
@ExtendWith(LeavesNothingBehind.class)
class LaunchDeathFaultIT {
    /// For each of five kinds of containment: 200 in all, some 60 s of an idle machine. Half of them die somewhere
    /// in the time that the last whole launch took; the others while the server runs and is written to.
    private static final int REPETITIONS = Integer.getInteger("postern.repetitions", 40);

    private static final long SEED = 20_261_130;

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#all")
    void nothingIsLeftOfHostThatIsKilledWhileItLaunches(Kind kind) {
        var random = new Random(SEED + kind.name().hashCode());
        long launch = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            String run = kind + "-" + i;
            Path data = directory.resolve(run);
            try (var host =
                    Host.start(DoomedHostMain.class, List.of(kind.name(), data.toString(), run), List.of(), Map.of())) {
                assertThat(host.read()).isEqualTo("go");
                if (i % 2 == 0) {
                    long begin = System.nanoTime();
                    assertThat(host.read()).isEqualTo("up");
                    launch = System.nanoTime() - begin;
                }
                long span = i % 2 == 0 ? Duration.ofMillis(25).toNanos() : launch;
                LockSupport.parkNanos(span * random.nextInt(1_000) / 1_000);
                host.kill();
            }

            var swept = new Sweep(new RunLedger(new TestPremises(data))).sweep();

            // Where the kernel ends it, that is a matter of milliseconds.
            await(run)
                    .atMost(Launched.PATIENCE)
                    .untilAsserted(() -> assertThat(remains(run)).isEmpty());
            assertThat(leftEntries(data)).as(run).isEmpty();
            if (i % 2 == 0 && !kind.namespace()) {
                assertThat(swept).as(run).singleElement().satisfies(each -> {
                    assertThat(each.left()).isEmpty();
                    // A guardian may have been faster.
                    if (kind != Kind.SESSION || !each.text().isEmpty()) {
                        assertThat(each.text()).startsWith("Ended ").contains("(server doomed, pids ");
                    }
                });
            }
        }
    }

    private static List<Long> remains(String run) throws IOException {
        List<Long> found = new ArrayList<>();
        for (Procfs.Stat stat : Procfs.all()) {
            if (!stat.dead() && Procfs.environmentHolds(stat.pid(), DoomedHostMain.VARIABLE + "=" + run)) {
                found.add(stat.pid());
            }
        }
        return found;
    }

    private static List<String> leftEntries(Path data) {
        String[] names = data.resolve("run").toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#all")
    void nextHostSaysWhatItSwept(Kind kind) throws IOException {
        String run = "said-" + kind;
        Path data = Files.createDirectory(directory.resolve(run));
        try (var host =
                Host.start(DoomedHostMain.class, List.of(kind.name(), data.toString(), run), List.of(), Map.of())) {
            assertThat(host.read()).isEqualTo("go");
            assertThat(host.read()).isEqualTo("up");
            host.kill();
        }
        var launcher = new Launcher(Toolbox.system(), kind, new TestPremises(data));
        assertThat(launcher.swept()).isEmpty();

        var next = Launched.of(launcher, Launched.spec("true", List.of()), Launched.PATIENCE);

        next.ending();
        await().atMost(Launched.PATIENCE)
                .untilAsserted(() -> assertThat(remains(run)).isEmpty());
        assertThat(launcher.swept()).hasSize(kind.namespace() ? 0 : 1);
    }
}
