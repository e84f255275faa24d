package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Where the process table can't be read, a sweep calls nobody dead, signals nobody and forgets nobody.
@Tag("PRC-4")
@Tag("P20")
@EnabledOnOs(OS.LINUX)
@ExtendWith(LeavesNothingBehind.class)
class BlindSweepFaultIT {
    @TempDir
    private Path data;

    @TempDir
    private Path other;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /// A process that a host left that is dead, by what stands in the directory's ledger.
    private Process leftIn(Path directory, String marker) throws IOException {
        var own = ProcessTable.own();
        var dead = new ProcessIdentity(own.pid(), own.started() + 1, own.boot(), own.space());
        var builder = new ProcessBuilder("sleep", "300");
        builder.environment().put(LaunchSpec.MARKER, marker);
        var process = Orphans.OF_THIS_PROCESS.start(builder);
        started.add(process);
        Files.writeString(
                Files.createDirectory(directory.resolve("run")).resolve("instance-" + marker),
                LedgerText.first("files", dead, marker)
                        + LedgerText.second(Objects.requireNonNull(ProcessTable.find(process.pid())), 0));
        return process;
    }

    @Test
    void leavesEverythingForASweepThatSees() throws IOException {
        var process = leftIn(data, "b11d");
        leftIn(other, "5ee5");
        var arguments = List.of(data.toString(), Long.toString(process.pid()), other.toString());

        var rounds = new ArrayList<String>();
        try (var host =
                Host.start(BlindSweepMain.class, arguments, List.of("prlimit", "--nofile=256:256", "--"), Map.of())) {
            for (var line = host.read(); !line.equals("null"); line = host.read()) {
                rounds.add(line);
            }
        }

        assertThat(rounds).hasSizeGreaterThan(1);
        assertThat(rounds.getLast()).endsWith(" seen dead");
        assertThat(rounds.subList(0, rounds.size() - 1))
                .allMatch(round -> round.endsWith(" none alive") || round.endsWith(" blind alive"));
        assertThat(data.resolve("run")).isEmptyDirectory();
    }
}
