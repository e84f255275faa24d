package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-4")
class IoReasonTest {
    private static final String FILE = "/data/run";

    @Test
    void saysMoreThanAPathAndNoClassName() {
        var told = Stream.of(
                        new AccessDeniedException(FILE),
                        new FileAlreadyExistsException(FILE),
                        new DirectoryNotEmptyException(FILE),
                        new FileSystemException(FILE),
                        new FileSystemException(FILE, null, "Read-only file system"),
                        new FileSystemException(FILE, null, "No space left on device"),
                        new FileSystemException(FILE, null, "Input/output error"),
                        new NoSuchFileException(FILE),
                        new NotDirectoryException(FILE),
                        new IOException("it broke"),
                        new IOException())
                .map(IoReason::of)
                .toList();

        assertThat(told)
                .isEqualTo(List.of(
                        "permission denied",
                        "file already exists",
                        "directory not empty",
                        "the system gave no reason",
                        "the file system is read-only",
                        "no space left on the device",
                        "Input/output error",
                        "there is no /data/run",
                        "/data/run is not a directory",
                        "it broke",
                        "the system gave no reason"));
    }
}
