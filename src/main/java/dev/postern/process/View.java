package dev.postern.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a server sees of the file system where bubblewrap can arrange that (SEC-7): everything but the data
/// directory, and of that its own working directory. In the place of the rest is an empty directory that can't be
/// written. The real path is covered, whatever links lead there; another mount of the same directory elsewhere is
/// not.
///
/// @param directory where the server starts, null for the host's own working directory
/// @param hidden the real path of the data directory, null when there is nothing to hide
/// @param shown the server's working directory where it lies inside, else null
/// @param empty the host's working directory where it lies inside and the server is to start there: an empty
///     directory takes its place
record View(
        @Nullable Path directory,
        @Nullable Path hidden,
        @Nullable Path shown,
        @Nullable Path empty) {
    private static final Set<String> OURS = Set.of("auth", "run", "logs");

    static final View OF_EVERYTHING = new View(null, null, null, null);

    /// @param cwd as configured, null for the host's own
    /// @param hidden the data directory, null when there is nothing to hide
    static View of(@Nullable Path cwd, @Nullable Path hidden) {
        Path directory = cwd == null ? null : cwd.toAbsolutePath();
        Path real = hidden == null ? null : real(hidden);
        if (real == null) {
            return new View(directory, null, null, null);
        }
        Path start = real(directory == null ? Path.of("").toAbsolutePath() : directory);
        boolean inside = start != null && start.startsWith(real) && !start.equals(real);
        return directory == null
                ? new View(null, real, null, inside ? start : null)
                // By its real path: a link on the way may lie in what is hidden.
                : new View(start == null ? directory : start, real, inside ? start : null, null);
    }

    /// The arguments for bubblewrap, in their order.
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (hidden != null) {
            arguments.addAll(List.of("--tmpfs", hidden.toString()));
            if (shown != null) {
                arguments.addAll(List.of("--bind", shown.toString(), shown.toString()));
            }
            if (empty != null) {
                arguments.addAll(List.of("--dir", empty.toString()));
            }
            arguments.addAll(List.of("--remount-ro", hidden.toString()));
        }
        Path start = directory == null ? empty : directory;
        if (start != null) {
            arguments.addAll(List.of("--chdir", start.toString()));
        }
        return arguments;
    }

    /// Whether the server's own working directory is a part of the data directory that Postern keeps for itself: it
    /// would see credentials, or could take the worker's lock away.
    boolean intrudes() {
        return hidden != null
                && shown != null
                && OURS.contains(hidden.relativize(shown).getName(0).toString());
    }

    /// Whether a server would not find this file: it lies in what is hidden, or the link to it does.
    boolean hides(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return covers(real(file)) || (parent != null && covers(real(parent)));
    }

    private boolean covers(@Nullable Path real) {
        return hidden != null && real != null && real.startsWith(hidden) && (shown == null || !real.startsWith(shown));
    }

    private static @Nullable Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException missing) {
            return null;
        }
    }
}
