package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Public output, held to files under `src/test/resources/snapshots`. `-Dpostern.snapshots=write` writes them
/// anew, to be read before they are committed.
final class Snapshots {
    private static final Path FOLDER = Path.of("src/test/resources/snapshots");

    private Snapshots() {}

    static void check(String name, String actual) {
        var file = FOLDER.resolve(name);
        try {
            if ("write".equals(System.getProperty("postern.snapshots"))) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, actual);
                return;
            }
            assertThat(file)
                    .as("a snapshot; write it with -Dpostern.snapshots=write")
                    .exists();
            assertThat(actual).as(file.toString()).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
