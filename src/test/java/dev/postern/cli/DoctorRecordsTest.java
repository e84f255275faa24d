package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `doctor` says of the records: one line, with the remedy (STO-3). It makes and changes nothing.
@Tag("CLI-7")
@Tag("STO-3")
class DoctorRecordsTest {
    @TempDir
    Path temporary;

    private CliHarness cli;
    private Path file;

    @BeforeEach
    void record() {
        cli = new CliHarness(temporary);
        file = cli.directory.resolve("postern.db");
        SampleRecords.write(file);
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private String line() throws IOException {
        byte[] before = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        var lines = cli.run("doctor")
                .out()
                .lines()
                .filter(line -> line.contains(" records "))
                .toList();
        assertThat(lines).hasSize(1);
        try (var files = Files.list(cli.directory)) {
            assertThat(files.filter(each -> !each.equals(file))).isEmpty();
        }
        assertThat(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]).isEqualTo(before);
        return lines.getFirst();
    }

    @Test
    void namesASoundDatabaseAndWhatIsNotThereYet() throws IOException {
        assertThat(line()).matches("ok +records +DATA/postern.db: 0\\.1 MiB");

        Files.delete(file);
        assertThat(line()).matches("ok +records +DATA/postern.db does not exist yet; the first call makes it");
    }

    @Test
    void findsADamagedOne() throws IOException {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 9_000));

        assertThat(line())
                .startsWith("finding")
                .contains("DATA/postern.db is damaged. It was left as it is.", "restore it from a backup");
    }

    @Test
    void findsOneOfANewerVersion() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[63] = 9;
        Files.write(file, bytes);

        assertThat(line())
                .startsWith("finding")
                .contains("DATA/postern.db has version 9", "Run the newer Postern that wrote it");
    }

    @Test
    void findsOneThatCanNotBeReadOrWritten() throws IOException {
        mode(file, "---------");
        assertThat(line()).startsWith("finding").contains("can't be read by its owner", "chmod 600 DATA/postern.db");

        mode(file, "r--------");
        assertThat(line()).startsWith("finding").contains("is read-only (mode 0400)", "chmod 600 DATA/postern.db");
        mode(file, "rw-------");
    }

    @Test
    void findsADirectoryThatIsReadOnlyAndNamesIt() throws IOException {
        mode(cli.directory, "r-x------");
        var line = line();
        mode(cli.directory, "rwx------");

        assertThat(line)
                .startsWith("finding")
                .contains("The data directory DATA can't be written: it is read-only (mode 0500).", "chmod 700 DATA");
    }

    @Test
    void isOneFindingForPrograms() throws IOException {
        Files.writeString(file, "no database at all");

        var found = cli.run("doctor", "--json").json();

        assertThat(found.get("findings").asInt()).isEqualTo(1);
        assertThat(found.get("checks"))
                .filteredOn(check -> check.get("check").asText().equals("records"))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.get("state").asText()).isEqualTo("finding");
                    assertThat(check.get("message").asText()).contains("is not an SQLite database");
                    assertThat(check.get("next").asText()).contains("move");
                });
    }
}
