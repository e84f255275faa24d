package dev.postern.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Files beside the database that are to become it, or a copy of it, once they are whole. The name of each
/// says which process makes it, so that what a killed one left can be told from what is being made.
final class Unfinished {
    private static final String ENDING = ".new";

    /// What SQLite puts beside a file while it works on it.
    private static final List<String> BESIDE = List.of("", "-journal", "-wal", "-shm");

    /// Words of an owner's text are apart by spaces, which many a tool takes for the end of a file name.
    private static final char SPACE = '~';

    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final String prefix;
    private final Owners owners;

    Unfinished(Path file, Owners owners) {
        this.directory = file.resolveSibling(".");
        this.prefix = file.getFileName() + ".";
        this.owners = owners;
    }

    /// An empty file, mode 0600.
    Path begin() throws IOException {
        return Files.createTempFile(directory, prefix + owners.own().replace(' ', SPACE) + ".", ENDING, OURS);
    }

    /// Removes what provably dead processes left, and nothing else.
    void sweep() {
        var names = directory.toFile().list((_, name) -> name.startsWith(prefix) && name.contains(ENDING));
        for (var name : names == null ? new String[0] : names) {
            var owner = owner(name);
            if (owner != null && owners.gone(owner)) {
                remove(directory.resolve(name));
            }
        }
    }

    /// Null for a name that [#begin] would not have given.
    private @Nullable String owner(String name) {
        for (var beside : BESIDE) {
            if (name.endsWith(ENDING + beside)) {
                var middle = name.substring(0, name.length() - (ENDING + beside).length());
                int end = middle.lastIndexOf('.');
                return end < prefix.length()
                        ? null
                        : middle.substring(prefix.length(), end).replace(SPACE, ' ');
            }
        }
        return null;
    }

    private static void remove(Path file) {
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // The next one tries again.
        }
    }
}
