package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.testkit.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// Any bytes in the file that says what was discovered.
@Tag("F9")
class DiscoveryFilesFuzzTest {
    private static Path directory = Path.of("");

    @BeforeAll
    static void makeDirectory() throws IOException {
        directory = Files.createTempDirectory("postern-fuzz-");
    }

    @AfterAll
    static void removeDirectory() throws IOException {
        Files.deleteIfExists(directory.resolve("discovery-s.json"));
        Files.deleteIfExists(directory.resolve("discovery-t.json"));
        Files.delete(directory);
    }

    @FuzzTest
    @Timeout(60)
    void recallsAWholeRecordOrNone(byte[] data) throws IOException {
        var files = new DiscoveryFiles(() -> directory, () -> directory);
        Files.write(directory.resolve("discovery-s.json"), data);

        var recalled = Cost.within(65_536 + 64L * data.length, () -> new Recalled(files.recall("s", "d")))
                .found();
        if (recalled != null) {
            assertThat(recalled.entryDigest()).isEqualTo("d");
            files.remember("t", recalled);
            assertThat(files.recall("t", "d")).isEqualTo(recalled);
        }
    }

    private record Recalled(@Nullable DiscoveryRecord found) {}
}
