package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Hosts over faulty servers, one after the other, for `soak.minutes`; without that, for two short rounds. Each
/// prints its seed; `-Dsoak.seed` repeats the faults and the calls, though not their timing.
@Tag("L39")
@ExtendWith(LeavesNothingBehind.class)
class SoakIT {
    private static final Duration ROUND = Duration.ofSeconds(8);
    private static final Duration SHORT_ROUND = Duration.ofSeconds(3);
    private static final int WARM_UP = 2;

    @TempDir
    private Path directory;

    private final LeavesNothingBehind leftovers = new LeavesNothingBehind();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private int rounds;

    @Test
    void leavesNothingAndAccountsForEveryCallUnderRandomFaults() throws Exception {
        long seed = Long.getLong("soak.seed", System.nanoTime());
        long minutes = Long.getLong("soak.minutes", 0);
        var length = minutes > 0 ? ROUND : SHORT_ROUND;
        var seeds = new Random(seed);
        System.out.println("soak: seed " + seed);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        for (int i = 0; i < (minutes > 0 ? WARM_UP : 1); i++) {
            round(seeds.nextLong(), length);
        }
        long heap = heap();
        var descriptors = descriptors();
        do {
            round(seeds.nextLong(), length);
        } while (System.nanoTime() < end);

        await("descriptors")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(descriptors()).hasSizeLessThanOrEqualTo(descriptors.size()));
        long heapAfter = heap();
        System.out.println("soak: seed " + seed + ", " + rounds + " rounds, " + outcomes + ", heap " + heap + " -> "
                + heapAfter + " bytes, " + descriptors.size() + " -> "
                + descriptors().size() + " descriptors");
        if (minutes > 0) {
            // Some seconds in a JVM that other tests share say nothing about the heap.
            assertThat(heapAfter).as("bytes of heap in use").isLessThanOrEqualTo(heap + heap / 20);
        }
        assertThat(outcomes).containsKeys("succeeded", "failed", "refused", "not-sent", "unknown");
    }

    private void round(long seed, Duration length) throws Exception {
        rounds++;
        System.out.println("soak: round " + rounds + ", seed " + seed);
        leftovers.mark();
        var place = Files.createDirectory(directory.resolve("round"));
        new SoakRound(place, seed).run(length).forEach((word, count) -> outcomes.merge(word, count, Integer::sum));
        leftovers.check();
        for (var file : files(place)) {
            assertThat(place.relativize(file).toString()).matches("record-[0-7]|data/run/discovery-s[0-7]\\.json");
        }
        remove(place);
    }

    private static List<Path> files(Path place) throws IOException {
        try (var all = Files.walk(place)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static void remove(Path place) throws IOException {
        try (var all = Files.walk(place)) {
            for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// What the open descriptors lead to, but for the classes of this program, which are opened when first needed.
    private static List<String> descriptors() throws IOException {
        var open = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (var one : all) {
                var target = target(one);
                if (!target.endsWith(".jar") && !target.contains("/proc/")) {
                    open.add(target);
                }
            }
        }
        return open;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "/proc/";
        }
    }

    /// What is still in use after collection: the least of several looks, as weak and soft things go in turn.
    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 6; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
