package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.natives.ProcessTable;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeavesNothingBehind.class)
@Tag("WRK-1")
@Tag("W22")
class OwnershipIT {
    @TempDir
    private Path dir;

    private Path run;

    @BeforeEach
    void makesTheDirectory() throws IOException {
        run = Files.createDirectories(dir.resolve("data/run"));
    }

    private Racer racer() throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnershipRacer.class.getName(),
                        run.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var racer = new Racer(
                process,
                process.inputReader(StandardCharsets.UTF_8),
                new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true));
        assertThat(racer.read()).isEqualTo("ready");
        return racer;
    }

    private record Racer(Process process, BufferedReader out, PrintWriter in) implements AutoCloseable {
        void go() {
            in.println();
        }

        String read() throws IOException {
            return String.valueOf(out.readLine());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void ofTwoProcessesThatRaceAHundredTimesExactlyOneOwnsTheDirectoryEachTime() throws IOException {
        try (var one = racer();
                var two = racer()) {
            for (int round = 0; round < 100; round++) {
                one.go();
                two.go();
                var said = List.of(one.read(), two.read());

                assertThat(said)
                        .as("round %d", round)
                        .filteredOn(each -> each.equals("ours"))
                        .hasSize(1);
                assertThat(said)
                        .filteredOn(each -> !each.equals("ours"))
                        .first()
                        .asString()
                        .startsWith("not: The worker of this data directory is running");
                one.go();
                two.go();
                assertThat(List.of(one.read(), two.read())).containsExactly("done", "done");
            }
        }
    }

    @Test
    void aKilledOwnersDirectoryIsFreeAtOnceAndALivingOnesIsNot() throws Exception {
        try (var one = racer();
                var two = racer()) {
            one.go();
            assertThat(one.read()).isEqualTo("ours");
            two.go();
            assertThat(two.read()).contains("process " + one.process().pid());
            two.go();
            assertThat(two.read()).isEqualTo("done");

            one.process().destroyForcibly().waitFor();
            assertThat(Ownership.written(run)).isNotNull();

            two.go();
            assertThat(two.read()).isEqualTo("ours");
            assertThat(Ownership.written(run))
                    .isNotNull()
                    .extracting("pid")
                    .isEqualTo(two.process().pid());
        }
    }

    @Test
    void removingTheLockUnderALivingOwnerLetsNobodyElseInAndTheOwnerNotices() throws Exception {
        var ours = ((Ownership.Taken.Ours) Ownership.take(run)).ownership();
        try (ours;
                var other = racer()) {
            assertThat(ours.lost()).isNull();
            Files.delete(run.resolve("lock"));
            assertThat(ours.lost()).contains("run/lock was removed or replaced");
            other.go();
            assertThat(other.read()).startsWith("not: ");
            other.go();
            assertThat(other.read()).isEqualTo("done");

            Files.delete(run.resolve("worker.pid"));
            Files.delete(run.resolve("worker.identity"));
            Files.delete(run);
            Files.createDirectory(run);
            assertThat(ours.lost()).contains("run/lock was removed or replaced");
            other.go();
            assertThat(other.read()).startsWith("not: ");
        }
    }

    @Test
    void anOwnerWhoseDirectoryWasMovedNoticesAndLeavesItsSuccessorsFilesAlone() throws Exception {
        var ours = ((Ownership.Taken.Ours) Ownership.take(run)).ownership();
        try (ours;
                var other = racer()) {
            Files.move(dir.resolve("data"), dir.resolve("moved"));
            assertThat(ours.lost()).contains("data directory " + dir.resolve("data"), "moved");
            Files.createDirectories(run);
            other.go();
            assertThat(other.read()).isEqualTo("ours");

            ours.close();

            assertThat(Ownership.owner(run))
                    .isNotNull()
                    .extracting("pid")
                    .isEqualTo(other.process().pid());
            assertThat(Ownership.written(run))
                    .isNotNull()
                    .extracting("pid")
                    .isEqualTo(other.process().pid());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rubbish\nrubbish\n", "1\n1 1 none none\n", "9999999999999999999999"})
    void theOwnerIsWhomTheKernelNamesWhateverTheFileSays(String text) throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "no other kernel is asked");
        try (var one = racer()) {
            one.go();
            assertThat(one.read()).isEqualTo("ours");
            Files.writeString(run.resolve("worker.pid"), text);
            Files.writeString(run.resolve("worker.identity"), text);

            assertThat(Ownership.owner(run))
                    .isNotNull()
                    .extracting("pid")
                    .isEqualTo(one.process().pid());

            one.process().destroyForcibly().waitFor();
            assertThat(Ownership.owner(run)).isNull();
        }
    }

    /// A script may read the file and find the pid and nothing else.
    private void isWrittenDown() throws IOException {
        assertThat(run.resolve("worker.pid"))
                .hasContent(Long.toString(ProcessTable.own().pid()));
        assertThat(Ownership.written(run)).isEqualTo(ProcessTable.own());
    }

    @Test
    void theOwnerWritesItselfDownAnewWhereSomebodyHasRemovedThat() throws Exception {
        try (var ours = ((Ownership.Taken.Ours) Ownership.take(run)).ownership()) {
            for (var text : new String[] {"rubbish", "1\n", "1 1 none none\n"}) {
                Files.writeString(run.resolve("worker.pid"), text);
                Files.writeString(run.resolve("worker.identity"), text);
                ours.keepPid();
                isWrittenDown();
            }
            Files.delete(run.resolve("worker.pid"));
            ours.keepPid();
            isWrittenDown();
        }
        assertThat(run.resolve("worker.pid")).doesNotExist();
        assertThat(run.resolve("worker.identity")).doesNotExist();
    }

    @Test
    void askingForItTwiceInOneProcessDoesNotGiveItAway() throws Exception {
        var first = Ownership.take(run);
        assertThat(first).isInstanceOf(Ownership.Taken.Ours.class);
        try (var _ = ((Ownership.Taken.Ours) first).ownership();
                var other = racer()) {
            assertThat(Ownership.take(run)).isInstanceOf(Ownership.Taken.Not.class);

            other.go();
            assertThat(other.read()).startsWith("not: ");
        }
        assertThat(Ownership.written(run)).isNull();
    }
}
