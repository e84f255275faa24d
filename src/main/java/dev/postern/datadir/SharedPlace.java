package dev.postern.datadir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/// Tells a directory that serves others too from one that is, or could become, Postern's own. Nobody is told to take
/// over the first or to close it: whoever ran that command on `/tmp` or a home directory would harm more than Postern
/// (DIR-2).
final class SharedPlace {
    private static final Set<Path> HOMES = Set.of(Path.of("/home"), Path.of("/Users"));
    private static final Set<String> OURS = Set.of("config.json", "auth", "run", "logs");
    private static final String DATABASE = "postern.db";

    private SharedPlace() {}

    /// True for the root, what is right below it, home directories and all above them, directories for everyone's
    /// files, and those that hold only what is not Postern's. Where it can't be found out, the path has to do.
    static boolean is(Path directory, FileFacts facts) {
        var path = real(directory);
        var parent = path.getParent();
        return parent == null
                || parent.getParent() == null
                || HOMES.contains(parent)
                || real(Path.of(System.getProperty("user.home", "/"))).startsWith(path)
                || facts.isSticky()
                || holdsOnlyOthers(path);
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.normalize();
        }
    }

    private static boolean holdsOnlyOthers(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            var names =
                    entries.map(entry -> String.valueOf(entry.getFileName())).toList();
            return !names.isEmpty() && names.stream().noneMatch(SharedPlace::isOurs);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOurs(String name) {
        return OURS.contains(name) || name.startsWith(DATABASE);
    }
}
