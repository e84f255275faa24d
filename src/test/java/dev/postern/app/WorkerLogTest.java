package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("WRK-1")
class WorkerLogTest {
    @TempDir
    private Path dir;

    private final InstantSource time = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    @Test
    void keepsFivePartsOfBoundedSizeThatOnlyWeCanRead() throws Exception {
        var file = dir.resolve("logs/worker.log");
        try (var log = new WorkerLog(file, time, 100)) {
            for (int i = 0; i < 40; i++) {
                log.line("event " + i);
            }
        }

        assertThat(Files.readString(file)).endsWith("2026-01-02T03:04:05Z event 39\n");
        try (var parts = Files.list(file.getParent())) {
            assertThat(parts).hasSize(5).allSatisfy(part -> {
                assertThat(Files.size(part)).isLessThanOrEqualTo(100);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                        .isEqualTo("rw-------");
            });
        }
    }

    @Test
    void goesOnWhereAnEarlierWorkerEnded() throws Exception {
        var file = dir.resolve("logs/worker.log");
        for (var event : new String[] {"one", "two\nlines"}) {
            try (var log = new WorkerLog(file, time)) {
                log.line(event);
            }
        }

        assertThat(Files.readAllLines(file)).hasSize(2).last().asString().endsWith(" two lines");
    }

    @Test
    void stopsNothingWhenItCannotBeWritten() throws Exception {
        Files.writeString(dir.resolve("logs"), "a file in its way");
        try (var log = new WorkerLog(dir.resolve("logs/worker.log"), time)) {
            log.line("lost");
        }

        assertThat(Files.readString(dir.resolve("logs"))).isEqualTo("a file in its way");
    }
}
