package dev.postern.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// From which processes another one descends, as `/proc` tells it.
public final class Ancestry {
    private static final Path PROC = Path.of("/proc");

    /// A parent may end while it is walked past; its child has another one then.
    private static final int TRIES = 3;

    private static final int DEEPEST = 1_000;

    private Ancestry() {}

    /// The process itself, its parent, and so on up to the first of this PID namespace. Empty when that can't be
    /// told: there is no such process, or its parents vanish faster than they can be read.
    public static List<Long> of(long pid) {
        for (int round = 0; round < TRIES; round++) {
            var line = new ArrayList<Long>();
            long next = pid;
            while (next > 0 && line.size() < DEEPEST) {
                line.add(next);
                next = parent(next);
            }
            if (next == 0) {
                return List.copyOf(line);
            }
        }
        return List.of();
    }

    /// What the environment that a process was started with says of a variable.
    public enum Sign {
        PRESENT,
        ABSENT,
        /// We may not look: another user's process, one of another group, one that gave up or took on rights, such as
        /// `sshd` for its user's session, or one that made itself unreadable. Or it has just ended.
        HIDDEN
    }

    public static Sign variable(long pid, String name) {
        try {
            return ("\0" + read(pid, "environ")).contains("\0" + name + "=") ? Sign.PRESENT : Sign.ABSENT;
        } catch (IOException e) {
            return Sign.HIDDEN;
        }
    }

    /// -1 when the process is not there.
    private static long parent(long pid) {
        String stat;
        try {
            stat = read(pid, "stat");
        } catch (IOException gone) {
            return -1;
        }
        // The name in parentheses may hold anything, parentheses and spaces included; what follows it may not.
        int end = stat.lastIndexOf(')');
        if (end < 0) {
            return -1;
        }
        var fields = stat.substring(end + 2).split(" ", 3);
        return fields[0].equals("Z") || fields[0].equals("X") ? -1 : Long.parseLong(fields[1]);
    }

    private static String read(long pid, String file) throws IOException {
        return new String(
                Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file)), StandardCharsets.ISO_8859_1);
    }
}
