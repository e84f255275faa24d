package dev.postern.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A system that lacks most of the tools that we put in front of a server, as macOS does.
final class LeanTools {
    private LeanTools() {}

    /// Has only these, and they are this machine's; the test is skipped where it lacks one itself.
    static Toolbox in(Path directory, String... names) throws IOException {
        for (String name : names) {
            Path tool = Path.of("/usr/bin", name);
            assumeThat(tool).isExecutable();
            Files.createSymbolicLink(directory.resolve(name), tool);
        }
        return new Toolbox(List.of(directory));
    }

    /// Those that `host` has started.
    static List<Long> guardians(long host) throws IOException {
        List<Long> found = new ArrayList<>();
        for (Procfs.Stat stat : Procfs.all()) {
            if (!stat.dead() && stat.parent() == host && isGuardian(stat.pid())) {
                found.add(stat.pid());
            }
        }
        return found;
    }

    private static boolean isGuardian(long pid) {
        return new String(Procfs.commandLine(pid), StandardCharsets.UTF_8).endsWith("\0-e\0" + Guardian.PROGRAM + "\0");
    }
}
