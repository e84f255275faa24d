package dev.postern.secret.source;

import dev.postern.base.ShellText;
import dev.postern.natives.FileStatus;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What must hold of a file or directory before a secret is read from it or written to it (SEC-2).
///
/// @param user the user whose files these must be
record Protection(long user) {
    static final int LARGEST_FILE = 4_096;

    private static final int ANYONE_ELSE = 0x3F;
    private static final int OTHERS_WRITE = 0x12;
    private static final int DIRECTORY_MODE = 0x1C0;
    private static final int FILE_MODE = 0x180;

    /// What does not hold, as a clause that follows the path, and what to do about it.
    record Breach(String what, String next) {}

    /// Whoever can write to the data directory can put another `auth` there.
    @Nullable
    Breach ofDataDirectory(FileStatus seen, Path path) {
        if (seen.owner() != user) {
            return foreign(seen, path);
        }
        return (seen.permissions() & OTHERS_WRITE) == 0
                ? null
                : new Breach(
                        "can be written to by other users (mode " + mode(seen) + ")",
                        "Run: chmod go-w " + quoted(path));
    }

    @Nullable
    Breach ofAuth(FileStatus seen, Path path) {
        if (seen.kind() != FileStatus.Kind.DIRECTORY) {
            return new Breach(
                    "is " + seen.kind().words() + " and not a directory",
                    "Put it aside (mv " + quoted(path) + " " + quoted(aside(path))
                            + ") and store the credentials again with `postern credential set`.");
        }
        if (seen.owner() != user) {
            return foreign(seen, path);
        }
        int permissions = seen.permissions() & 0x1FF;
        return permissions == DIRECTORY_MODE
                ? null
                : new Breach(
                        (permissions & ANYONE_ELSE) == 0
                                ? "has mode " + mode(seen) + " instead of 0700"
                                : "is open to other users (mode " + mode(seen) + " instead of 0700)",
                        "Run: chmod 700 " + quoted(path));
    }

    @Nullable
    Breach ofFile(FileStatus seen, Path path) {
        if (seen.kind() != FileStatus.Kind.REGULAR) {
            boolean directory = seen.kind() == FileStatus.Kind.DIRECTORY;
            return new Breach(
                    "is " + seen.kind().words() + " and not a regular file",
                    "Remove it (" + (directory ? "rm -r " : "rm ") + quoted(path) + ") and " + storeAgain(path));
        }
        if (seen.owner() != user) {
            return foreign(seen, path);
        }
        if (seen.links() != 1) {
            return new Breach(
                    "has " + seen.links() + " names (hard links), so someone may reach it by another path",
                    "Remove this one (rm " + quoted(path) + ") and " + storeAgain(path));
        }
        if (seen.permissions() != FILE_MODE) {
            return new Breach(
                    (seen.permissions() & ANYONE_ELSE) == 0
                            ? "has mode " + mode(seen) + " instead of 0600"
                            : "is open to other users (mode " + mode(seen) + " instead of 0600)",
                    "Run: chmod 600 " + quoted(path)
                            + " and, if others may have read the secret, replace it where it was issued.");
        }
        return seen.size() <= LARGEST_FILE
                ? null
                : new Breach(
                        "has " + seen.size() + " bytes, over the limit of " + LARGEST_FILE,
                        "Remove it (rm " + quoted(path) + ") and " + storeAgain(path));
    }

    static String storeAgain(Path path) {
        var file = String.valueOf(path.getFileName());
        var name = file.endsWith(".json") ? file.substring(0, file.length() - 5) : "NAME";
        return "store the secret again: `postern credential set " + name + "`";
    }

    /// For a shell, whatever is in the path.
    static String quoted(Path path) {
        return ShellText.quoted(path.toString());
    }

    private Breach foreign(FileStatus seen, Path path) {
        return new Breach(
                "belongs to the user with id " + seen.owner() + " and not to us (" + user + ")",
                "If it is yours, run: sudo chown " + user + " " + quoted(path) + ", otherwise remove it.");
    }

    private static Path aside(Path path) {
        return path.resolveSibling(path.getFileName() + ".aside");
    }

    private static String mode(FileStatus seen) {
        var octal = Integer.toOctalString(seen.permissions());
        return "0000".substring(Math.min(4, octal.length())) + octal;
    }
}
