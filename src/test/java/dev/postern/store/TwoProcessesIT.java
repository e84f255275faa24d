package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Stores.Processes;
import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Several processes have one database open.
@ExtendWith(LeavesNothingBehind.class)
@Tag("STO-1")
class TwoProcessesIT {
    private static final int NEVER = -1;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("postern.db");
    }

    @Test
    @Tag("STO-3")
    void keepsTheLogOfWhoHasItOpenWhateverElseTheSameProcessOpensAndAnotherCloses() throws Exception {
        var calls = List.of(Stores.start(1), Stores.start(2), Stores.start(3));
        var other = directory.resolve("other");
        Files.createSymbolicLink(other, directory);
        List<String> said;
        try (var ledger = Stores.open(file())) {
            ledger.intend(calls.get(0), Stores.intent());
            try (var second = Stores.open(file());
                    var third = Stores.open(other.resolve("postern.db"))) {
                assertThat(second.runs(10, null)).hasSize(1);
                assertThat(third.runs(10, null)).hasSize(1);
            }
            var log = log();
            said = run(1, 3);

            assertThat(log()).isEqualTo(log);
            ledger.intend(calls.get(1), Stores.intent());
            run(1, 1);
            assertThat(log()).isEqualTo(log);
            ledger.intend(calls.get(2), Stores.intent());
        }
        try (var store = Stores.open(file(), new Processes("me"))) {
            for (var call : calls) {
                assertThat(store.callsNamed(call.callId())).hasSize(1);
            }
            assertThat(store.runs(100, null)).hasSize(calls.size() + 3 + 1);
            assertThat(said).filteredOn(line -> line.startsWith("settled ")).hasSize(3);
        }
    }

    /// What tells the write-ahead log from every other that there was under its name.
    private Object log() throws Exception {
        return Objects.requireNonNull(
                Files.readAttributes(directory.resolve("postern.db-wal"), BasicFileAttributes.class)
                        .fileKey());
    }

    /// Another process opens, writes and closes.
    private List<String> run(int callers, int calls) throws Exception {
        var process = CallingProcess.start(directory, callers, calls, NEVER);
        try {
            return process.until("done");
        } finally {
            process.kill();
        }
    }

    @Test
    void letsTwoProcessesWriteAtOnce() throws Exception {
        int callers = 8;
        int calls = 100;
        var settled = new HashSet<String>();
        var processes = new ArrayList<CallingProcess>();
        try {
            for (int number = 0; number < 2; number++) {
                processes.add(CallingProcess.start(directory, callers, calls, NEVER));
            }
            for (var process : processes) {
                var said = process.until("done");
                assertThat(said).noneMatch(line -> line.startsWith("failed"));
                said.stream().filter(line -> line.startsWith("settled ")).forEach(settled::add);
            }
        } finally {
            for (var process : processes) {
                process.kill();
            }
        }

        assertThat(settled).hasSize(2 * callers * calls);
        try (var store = Stores.open(file())) {
            assertThat(store.runs(10_000, null))
                    .hasSize(2 * callers * calls)
                    .allMatch(run -> "completed".equals(run.state()));
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file());
        }
    }
}
