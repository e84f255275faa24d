package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.LeavesNothingBehind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeavesNothingBehind.class)
@Tag("WRK-1")
@Tag("W22")
class OwnershipIT {
    @TempDir
    private Path run;

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
