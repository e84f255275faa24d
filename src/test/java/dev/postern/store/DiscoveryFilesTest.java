package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.datadir.DataDirectory;
import dev.postern.datadir.DataDirectory.Checked;
import dev.postern.natives.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("CLI-1")
@Tag("WIR-1")
class DiscoveryFilesTest {
    private static final DiscoveryRecord SEEN = new DiscoveryRecord(
            "abc", "HANDSHAKE", "2025-11-25", Instant.parse("2026-11-30T10:00:00Z"), List.of("read", "wri\"te"));

    @TempDir
    private Path directory;

    private static DiscoveryFiles files(Path dataDirectory) {
        var data = new DataDirectory(dataDirectory, Users::effectiveId);
        return new DiscoveryFiles(
                () -> data.checkRun() instanceof Checked.Ready ? data.run() : null,
                () -> data.createRun() == null ? data.run() : null);
    }

    @Test
    void recallsWhatWasRememberedForTheSameEntry() {
        var files = files(directory);

        files.remember("files", SEEN);

        assertThat(files.recall("files", "abc")).isEqualTo(SEEN);
        assertThat(files.recall("files", "changed")).isNull();
        assertThat(files.recall("other", "abc")).isNull();
    }

    @Test
    void keepsItsFilesToTheOwner() throws Exception {
        files(directory).remember("files", SEEN);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("run"))))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("run/discovery-files.json"))))
                .isEqualTo("rw-------");
        try (var listed = Files.list(directory.resolve("run"))) {
            assertThat(listed).hasSize(1);
        }
    }

    @Test
    void takesDamagedFilesForAbsent() throws Exception {
        var files = new DiscoveryFiles(() -> directory, () -> directory);
        for (var text : List.of("", "{", "[]", "{\"entry\":\"abc\"}", "{\"entry\":\"abc\",\"at\":\"yesterday\"}")) {
            Files.writeString(directory.resolve("discovery-files.json"), text);

            assertThat(files.recall("files", "abc")).as(text).isNull();
        }
    }

    @Test
    void livesWithoutAPlaceToWrite() throws Exception {
        var blocked = directory.resolve("file");
        Files.writeString(blocked, "in the way");
        var files = files(blocked);

        files.remember("files", SEEN);

        assertThat(files.recall("files", "abc")).isNull();
    }

    @Test
    @Tag("DIR-3")
    void neitherWritesNorReadsWhereOthersMay() throws Exception {
        var files = files(directory);
        files.remember("files", SEEN);
        Files.setPosixFilePermissions(directory.resolve("run"), PosixFilePermissions.fromString("rwxrwxrwx"));

        files.remember("other", SEEN);

        assertThat(files.recall("files", "abc")).isNull();
        assertThat(directory.resolve("run/discovery-other.json")).doesNotExist();
    }

    @Test
    @Tag("DIR-3")
    void doesNotWriteThroughALinkInPlaceOfRun() throws Exception {
        var elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(directory.resolve("run"), elsewhere);

        files(directory).remember("files", SEEN);

        assertThat(elsewhere).isEmptyDirectory();
    }
}
