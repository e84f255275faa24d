package dev.postern.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The system's own programs that we put in front of a server. They are looked for in directories that only an
/// administrator writes to, never on a `PATH` that a user or a project may have changed.
public final class Toolbox {
    private static final List<Path> SYSTEM = List.of(
            Path.of("/usr/bin"),
            Path.of("/bin"),
            Path.of("/usr/sbin"),
            Path.of("/sbin"),
            Path.of("/usr/local/bin"),
            Path.of("/run/current-system/sw/bin"));

    /// It complains as a program of a chain does: its name first.
    private static final String SESSION = "use POSIX (); defined(POSIX::setsid()) or die \"perl: setsid: $!\\n\";"
            + " exec {$ARGV[0]} @ARGV or die \"perl: $ARGV[0]: $!\\n\"";

    private final List<Path> directories;
    private final Map<String, Path> found = new ConcurrentHashMap<>();

    public Toolbox(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    public static Toolbox system() {
        return new Toolbox(SYSTEM);
    }

    /// What makes a process the leader of a session of its own before it becomes the program that follows, with no
    /// argument changed; empty where the system has nothing to do it with. Without a `setsid`, as on macOS, that is
    /// done in Perl: one process still, and nothing that a shell could take for its own. Perl looks into `PERL5LIB`
    /// and `PERL5OPT`, if the server is given any.
    List<String> ownSession() {
        String setsid = find("setsid");
        if (setsid != null) {
            return List.of(setsid);
        }
        String perl = perl();
        return perl == null ? List.of() : List.of(perl, "-C0", "-e", SESSION, "--");
    }

    @Nullable
    String perl() {
        return find("perl");
    }

    /// Null when it is not installed.
    @Nullable
    String find(String name) {
        Path known = found.get(name);
        if (known == null) {
            for (Path directory : directories) {
                Path candidate = directory.resolve(name);
                if (Files.isExecutable(candidate)) {
                    found.put(name, candidate);
                    return candidate.toString();
                }
            }
            return null;
        }
        return known.toString();
    }
}
