package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.SQLException;

/// Says what is wrong with the database, by what SQLite answered: the primary code is the low byte of it.
final class StoreProblems {
    private static final int ERROR = 1;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READ_ONLY = 8;
    private static final int IO_ERROR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANNOT_OPEN = 14;
    private static final int TOO_BIG = 18;
    private static final int CONSTRAINT = 19;
    private static final int MISMATCH = 20;
    private static final int OUT_OF_RANGE = 25;
    private static final int NOT_A_DATABASE = 26;

    private static final String WITH = " with --data-dir.";

    private StoreProblems() {}

    static StoreException of(SQLException fault, Path file) {
        var problem = switch (fault.getErrorCode() & 0xFF) {
            case FULL -> unwritable(file, "the disk is full", "Make room, then try again.");
            case READ_ONLY ->
                readOnly(file, "it is read-only", "Find out what made it so, or choose another data directory" + WITH);
            case BUSY, LOCKED ->
                unwritable(
                        file,
                        "another process has held it for too long",
                        "Try again; if it goes on, find out which one: fuser " + quoted(file));
            case IO_ERROR ->
                unwritable(
                        file,
                        "the system answered an input or output error",
                        "Check the disk: whether it is full, and the kernel's messages about it.");
            case CANNOT_OPEN ->
                readOnly(
                        file,
                        "it or a file beside it can't be opened",
                        "Look who owns the files of that name and its directory, or choose another one" + WITH);
            case CORRUPT -> damaged(file, "is damaged");
            case NOT_A_DATABASE -> damaged(file, "is not an SQLite database");
            default ->
                new Problem(
                        ErrorCode.INTERNAL,
                        "The database " + file + " refused what Postern asked of it (SQLite code "
                                + fault.getErrorCode() + ").",
                        "This is a fault of Postern, not of yours; please report it with this line.");
        };
        return new StoreException(problem, fault);
    }

    /// Whether it concerns one statement and its values, and neither the database nor the machine.
    static boolean ofOneStatement(SQLException fault) {
        return switch (fault.getErrorCode() & 0xFF) {
            case ERROR, TOO_BIG, CONSTRAINT, MISMATCH, OUT_OF_RANGE -> true;
            default -> false;
        };
    }

    static StoreException of(IOException fault, Path file) {
        return new StoreException(
                unwritable(
                        file,
                        IoReason.of(fault),
                        "Make room, or make its directory writable; or choose another one with --data-dir."),
                fault);
    }

    static Problem unreadable(Path file, IOException fault) {
        return new Problem(
                ErrorCode.STORAGE_UNREADABLE,
                "The database " + file + " can't be read: " + IoReason.of(fault) + ".",
                "Look who may read it: ls -l " + quoted(file));
    }

    static Problem damaged(Path file, String what) {
        return new Problem(
                ErrorCode.STORAGE_DAMAGED,
                "The database " + file + " " + what + ". It was left as it is.",
                "End the worker, if one runs, with `postern worker stop`. Then restore it from a backup, or start anew"
                        + " without its records: move " + quoted(file)
                        + " away, and the files of that name that end in -wal and -shm.");
    }

    /// What is written to a file that nobody finds again is lost.
    static Problem displaced(Path file) {
        return new Problem(
                ErrorCode.STORAGE_UNWRITABLE,
                "The database " + file + " was moved, replaced or deleted while it was open.",
                "Put it back, or begin with the new one: run the command again, after `postern worker restart` if a"
                        + " worker runs.");
    }

    static Problem newer(Path file, int version, int known) {
        return new Problem(
                ErrorCode.STORAGE_NEWER,
                "The database " + file + " has version " + version + ", and this Postern knows versions up to " + known
                        + ". It was left as it is.",
                "Run the newer Postern that wrote it, or choose another data directory with --data-dir.");
    }

    static Problem fault(Path file, Throwable fault) {
        return new Problem(
                ErrorCode.INTERNAL,
                "Writing the database " + file + " failed (" + fault.getClass().getSimpleName() + ").",
                "This is a fault of Postern, not of yours; please report it with this line.");
    }

    static Problem closed() {
        return new Problem(
                ErrorCode.STORAGE_UNWRITABLE, "The records are closed already.", "Run the command once more.");
    }

    /// Names what is at fault where its mode or its file system tells: the directory, in which SQLite makes files
    /// beside the database, or the file.
    private static Problem readOnly(Path file, String otherwise, String next) {
        var directory = file.toAbsolutePath().getParent();
        try {
            if (directory != null && !ownerCanWrite(directory)) {
                return unwritable(
                        file,
                        "its directory " + directory + " is read-only",
                        "Run: chmod 700 " + quoted(directory) + "; or choose another one" + WITH);
            }
            if (!ownerCanWrite(file)) {
                return unwritable(file, "it is read-only", "Run: chmod 600 " + quoted(file));
            }
            if (Files.getFileStore(file).isReadOnly()) {
                return unwritable(
                        file,
                        "the file system is read-only",
                        "Mount it so that it can be written, or choose another data directory" + WITH);
            }
        } catch (IOException unknown) {
            // Then only what SQLite says is known.
        }
        return unwritable(file, otherwise, next);
    }

    private static boolean ownerCanWrite(Path path) throws IOException {
        return Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).contains(PosixFilePermission.OWNER_WRITE);
    }

    private static Problem unwritable(Path file, String why, String next) {
        return new Problem(
                ErrorCode.STORAGE_UNWRITABLE, "The database " + file + " can't be written: " + why + ".", next);
    }

    private static String quoted(Path path) {
        return ShellText.quoted(path.toString());
    }
}
