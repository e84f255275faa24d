package dev.postern.base;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/// Why something could not be done with a file, for people: no class name, and never just a path, which is all that
/// many an exception of the JDK says.
public final class IoReason {
    private IoReason() {}

    /// Such as `permission denied`, to stand behind a colon.
    public static String of(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException gone -> "there is no " + gone.getFile();
            case NotDirectoryException other -> other.getFile() + " is not a directory";
            case FileSystemException fault when fault.getReason() != null -> plain(String.valueOf(fault.getReason()));
            case FileSystemException fault -> kind(fault);
            default -> e.getMessage() == null ? kind(e) : e.getMessage();
        };
    }

    /// As the system says it in mid-sentence.
    private static String plain(String reason) {
        return reason.equals("Read-only file system")
                ? "the file system is read-only"
                : reason.equals("No space left on device") ? "no space left on the device" : reason;
    }

    /// `FileAlreadyExistsException` is `file already exists`.
    private static String kind(IOException e) {
        if (e.getClass() == FileSystemException.class || e.getClass() == IOException.class) {
            return "the system gave no reason";
        }
        return e.getClass()
                .getSimpleName()
                .replaceFirst("Exception$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
