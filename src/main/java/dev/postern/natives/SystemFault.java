package dev.postern.natives;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// A function of the system failed with an error number. Leaves this package only as [#asException].
final class SystemFault extends Exception {
    private static final long serialVersionUID = 1;

    private final String file;
    private final int number;

    SystemFault(String file, int number) {
        super(file + ": error " + number);
        this.file = file;
        this.number = number;
    }

    int number() {
        return number;
    }

    boolean isMissing() {
        return number == 2;
    }

    /// What the JDK throws for the same fault. The numbers below 35 are the same on every Unix.
    IOException asException(String where) {
        var path = file.isEmpty() ? where : where.isEmpty() ? file : where + "/" + file;
        return switch (number) {
            case 2 -> new NoSuchFileException(path);
            case 1, 13 -> new AccessDeniedException(path);
            case 17 -> new FileAlreadyExistsException(path);
            case 20 -> new NotDirectoryException(path);
            case 39, 66 -> new DirectoryNotEmptyException(path);
            case 40, 62 -> new FileSystemLoopException(path);
            case 6 -> new FileSystemException(path, null, "no such device or address");
            case 21 -> new FileSystemException(path, null, "is a directory");
            case 24 -> new FileSystemException(path, null, "too many open files");
            case 28 -> new FileSystemException(path, null, "no space left on the device");
            case 30 -> new FileSystemException(path, null, "the file system is read-only");
            default -> new FileSystemException(path, null, "error number " + number);
        };
    }
}
