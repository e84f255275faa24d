package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.store.Stores.Processes;
import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A process that records calls is killed with SIGKILL; whoever opens the database next finds it consistent.
@ExtendWith(LeavesNothingBehind.class)
@Tag("STO-3")
@Tag("CAL-4")
@Tag("W23")
class StoreFaultIT {
    /// Two calls make four transactions of three steps each.
    private static final int STEPS = 12;

    @TempDir
    Path directory;

    static IntStream steps() {
        return IntStream.range(0, STEPS);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void losesNothingWhenKilledAtAnyStepOfAnyWrite(int step) throws Exception {
        var victim = CallingProcess.start(directory, 1, 2, step);
        var said = victim.until("stopped");
        victim.kill();

        check(said);
    }

    @Test
    @Tag("STO-1")
    void keepsItsFilesToItsOwnerUnderAnyUmask() throws Exception {
        var victim =
                CallingProcess.start(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"), directory, 1, 2, STEPS - 1);
        victim.until("stopped");
        try (var files = Files.list(directory)) {
            assertThat(files.toList())
                    .hasSize(3)
                    .allSatisfy(each -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .isEqualTo("rw-------"));
        } finally {
            victim.kill();
        }
    }

    @Test
    void losesNothingWhenKilledAtRandomMoments() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 8; round++) {
            var fresh = Files.createDirectory(directory.resolve("round" + round));
            var victim = CallingProcess.start(fresh, 8, 10_000, -1);
            int lines = 1 + random.nextInt(400);
            var said = victim.lines(lines);
            victim.kill();
            said.addAll(victim.rest());

            check(fresh, said, "seed " + seed + ", round " + round);
        }
    }

    private void check(List<String> said) throws Exception {
        check(directory, said, "");
    }

    private static void check(Path directory, List<String> said, String what) throws Exception {
        var intended = named(said, "intended ");
        var settled = named(said, "settled ");
        assertThat(said).as(what).noneMatch(line -> line.startsWith("failed"));
        var file = directory.resolve("postern.db");
        var open = new HashSet<String>();
        var succeeded = new HashSet<String>();
        try (var store = Stores.open(file, new Processes("me"))) {
            for (var run : store.runs(100_000, null)) {
                var call = store.callsOf(run.id()).getFirst();
                var outcome = call.outcome();
                assertThat(run.state()).as(what).isEqualTo(outcome == null ? null : "completed");
                (outcome == null ? open : succeeded).add(call.id());
            }
        }
        var known = new HashSet<>(open);
        known.addAll(succeeded);
        assertThat(known).as(what).containsAll(intended);
        assertThat(succeeded).as(what).containsAll(settled);

        try (var store = Stores.open(file, new Processes("me", "victim"))) {
            for (var id : open) {
                var call = store.callsNamed(id).getFirst();
                assertThat(call.outcome()).as(what).isEqualTo("unknown");
                assertThat(Objects.requireNonNull(call.trouble()).code())
                        .isEqualTo(ErrorCode.UNKNOWN_OWNER_DIED.code());
            }
            for (var id : succeeded) {
                assertThat(store.callsNamed(id).getFirst().outcome()).as(what).isEqualTo("succeeded");
            }
            store.intend(Stores.start(0), Stores.intent());
        }
        try (var connection = Connections.open(file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA integrity_check")) {
            rows.next();
            assertThat(rows.getString(1)).as(what).isEqualTo("ok");
        }
        try (var files = Files.list(directory)) {
            assertThat(files).as(what).containsExactly(file);
        }
    }

    private static Set<String> named(List<String> said, String word) {
        var ids = new HashSet<String>();
        for (var line : said) {
            if (line.startsWith(word)) {
                ids.add(line.substring(word.length()));
            }
        }
        return ids;
    }
}
