package dev.postern.natives;

import dev.postern.base.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Who a process is, and whether a process that was written down still lives (PRC-4, CAL-4). Reads `/proc` on
/// Linux; elsewhere the JDK tells start times, and a boot is known by nothing. Safe for use by many threads.
public final class ProcessTable {
    /// Stands where the system has no word for the boot or the PID namespace.
    private static final String UNTOLD = "none";

    private static final Path PROC = Path.of("/proc");

    private ProcessTable() {}

    /// What is known of a process that was written down.
    public enum Life {
        ALIVE,
        /// Provably: another boot, no such pid, another process under that pid, or a zombie.
        DEAD,
        /// It was written down in another PID namespace, into which nobody here can see.
        HIDDEN
    }

    /// This very process. Never changes.
    public static ProcessIdentity own() {
        return Own.IDENTITY;
    }

    /// The process that has this pid now; null when there is none, or only a zombie.
    public static @Nullable ProcessIdentity find(long pid) {
        var started = started(pid);
        return started == null ? null : new ProcessIdentity(pid, started, Own.BOOT, Own.SPACE);
    }

    public static Life life(ProcessIdentity written) {
        if (!written.boot().equals(Own.BOOT)) {
            return Life.DEAD;
        }
        if (!written.space().equals(Own.SPACE)) {
            return Life.HIDDEN;
        }
        var started = started(written.pid());
        return started != null && started == written.started() ? Life.ALIVE : Life.DEAD;
    }

    private static @Nullable Long started(long pid) {
        if (!Files.isReadable(PROC.resolve("self/stat"))) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().startInstant())
                    .map(Instant::toEpochMilli)
                    .orElse(null);
        }
        try {
            var text = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name in parentheses may hold anything, parentheses and spaces included; what follows it may not.
            var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", 21);
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return dead ? null : Long.valueOf(fields[19]);
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException gone) {
            return null;
        }
    }

    private static final class Own {
        static final String BOOT = line(PROC.resolve("sys/kernel/random/boot_id"));
        static final String SPACE = link(PROC.resolve("self/ns/pid"));
        static final ProcessIdentity IDENTITY = identity();

        private static ProcessIdentity identity() {
            long pid = ProcessHandle.current().pid();
            var started = started(pid);
            return new ProcessIdentity(pid, started == null ? 0 : started, BOOT, SPACE);
        }

        private static String line(Path file) {
            try {
                return Files.readString(file).strip();
            } catch (IOException e) {
                return UNTOLD;
            }
        }

        private static String link(Path file) {
            try {
                return Files.readSymbolicLink(file).toString();
            } catch (IOException e) {
                return UNTOLD;
            }
        }
    }
}
