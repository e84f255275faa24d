package dev.postern.natives;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TimeZone;

/// The block of variables that the kernel put on this process's stack, which other processes of the same user read
/// as `/proc/PID/environ` (SEC-4).
public final class OwnEnvironment {
    /// Twice what Linux lets arguments and environment take with a stack of the usual size; anything larger is no
    /// environment.
    private static final long LARGEST = 16 << 20;

    /// Positions in `/proc/self/stat` after the name, which is the second field: proc(5) counts from one.
    private static final int START = 50 - 3;

    private static final int END = 51 - 3;

    private static boolean done;

    private OwnEnvironment() {}

    /// Fills the block with zeros, once. Java's own copy of it stays, as does the default time zone; native code
    /// that asks for a variable finds none any more. Does nothing where the kernel does not say where the block is,
    /// or memory can't be reached.
    public static synchronized void overwrite() {
        if (done) {
            return;
        }
        done = true;
        try {
            keepCopy();
            String stat = new String(Files.readAllBytes(Path.of("/proc/self/stat")), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split("[ \n]", -1);
            if (fields.length > END) {
                zero(Long.parseUnsignedLong(fields[START]), Long.parseUnsignedLong(fields[END]));
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            // Not Linux, or no way to memory: the block stays readable, which doctor says.
        }
    }

    /// Java copies the block when it first needs it, and the time zone is read from `TZ` by native code.
    private static void keepCopy() {
        if (new ProcessBuilder().environment().containsKey("TZ")) {
            var _ = TimeZone.getDefault();
        }
    }

    @SuppressWarnings("restricted")
    private static void zero(long from, long to) {
        if (from > 0 && to > from && to - from <= LARGEST) {
            MemorySegment.ofAddress(from).reinterpret(to - from).fill((byte) 0);
        }
    }
}
