package dev.postern.natives;

import dev.postern.base.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Who a process is, and whether a process that was written down still lives (PRC-4, CAL-4). Reads `/proc` on
/// Linux; elsewhere the JDK tells start times, and a boot is known by nothing. Safe for use by many threads.
///
/// A process that has no descriptor or memory left can read nothing: then nobody is dead.
public final class ProcessTable {
    /// Stands where the system has no word for the boot or the PID namespace.
    private static final String UNTOLD = "none";

    private static final Path PROC = Path.of("/proc");
    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private static volatile @Nullable ProcessIdentity own;

    private ProcessTable() {}

    /// What is known of a process that was written down.
    public enum Life {
        ALIVE,
        /// Provably: another boot, no such pid, another process under that pid, or a zombie.
        DEAD,
        /// Nothing: it was written down in another PID namespace, into which nobody here can see, or the system
        /// does not tell just now.
        UNKNOWN
    }

    /// What the system says about a pid.
    private sealed interface Look {
        record Runs(long started) implements Look {}

        record Gone() implements Look {}

        record Untold() implements Look {}
    }

    /// This very process. Never changes.
    ///
    /// @throws IllegalStateException when the system does not tell just now, for want of descriptors perhaps; the
    ///     next call asks again
    public static ProcessIdentity own() {
        var known = own;
        if (known == null) {
            known = identity();
            own = known;
        }
        return known;
    }

    /// The process that has this pid now; null when there is none, or only a zombie, or nobody can tell.
    public static @Nullable ProcessIdentity find(long pid) {
        return look(pid) instanceof Look.Runs(long started)
                ? new ProcessIdentity(pid, started, own().boot(), own().space())
                : null;
    }

    public static Life life(ProcessIdentity written) {
        ProcessIdentity self;
        try {
            self = own();
        } catch (IllegalStateException untold) {
            return Life.UNKNOWN;
        }
        if (!written.boot().equals(self.boot())) {
            return written.boot().equals(UNTOLD) || self.boot().equals(UNTOLD) ? Life.UNKNOWN : Life.DEAD;
        }
        if (!written.space().equals(self.space())) {
            return Life.UNKNOWN;
        }
        return switch (look(written.pid())) {
            case Look.Runs(long started) -> started == written.started() ? Life.ALIVE : Life.DEAD;
            case Look.Gone _ -> Life.DEAD;
            case Look.Untold _ -> Life.UNKNOWN;
        };
    }

    private static Look look(long pid) {
        if (!LINUX) {
            return ProcessHandle.of(pid)
                    .map(process -> process.info()
                            .startInstant()
                            .map(Instant::toEpochMilli)
                            .<Look>map(Look.Runs::new)
                            .orElseGet(Look.Untold::new))
                    .orElseGet(Look.Gone::new);
        }
        try {
            var text = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name in parentheses may hold anything, parentheses and spaces included; what follows it may not.
            var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", 21);
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return dead ? new Look.Gone() : new Look.Runs(Long.parseLong(fields[19]));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException unread) {
            return DirectSignals.finds(pid) ? new Look.Untold() : new Look.Gone();
        }
    }

    private static ProcessIdentity identity() {
        long pid = ProcessHandle.current().pid();
        if (!(look(pid) instanceof Look.Runs(long started))) {
            throw untold("/proc/" + pid + "/stat", null);
        }
        return new ProcessIdentity(
                pid,
                started,
                LINUX ? line(PROC.resolve("sys/kernel/random/boot_id")) : UNTOLD,
                LINUX ? link(PROC.resolve("self/ns/pid")) : UNTOLD);
    }

    private static String line(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException unknownHere) {
            // Some sandboxes have no such file.
            return UNTOLD;
        } catch (IOException e) {
            throw untold(file.toString(), e);
        }
    }

    private static String link(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (NoSuchFileException unknownHere) {
            return UNTOLD;
        } catch (IOException e) {
            throw untold(file.toString(), e);
        }
    }

    private static IllegalStateException untold(String file, @Nullable IOException why) {
        return new IllegalStateException(
                "The system does not tell who this process is: " + file + " can't be read", why);
    }
}
