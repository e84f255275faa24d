package dev.postern.natives;

import java.nio.file.Files;
import java.nio.file.Path;

/// Signals by the kernel's own call. The JDK looks into `/proc` before it sends one, and so neither finds nor ends
/// anybody when no descriptor is left. Safe for use by many threads.
public final class DirectSignals {
    private static final int NO_SUCH_PROCESS = 3;
    private static final int SIGKILL = 9;

    private DirectSignals() {}

    /// Whether somebody has this pid, a zombie perhaps. Says yes unless the kernel says no.
    public static boolean finds(long pid) {
        try {
            if (NativeDirectory.available()) {
                Libc.signal(pid, 0);
                return true;
            }
            return !Files.notExists(Path.of("/proc/" + pid));
        } catch (SystemFault fault) {
            return fault.number() != NO_SUCH_PROCESS;
        } catch (LinkageError | RuntimeException unavailable) {
            return true;
        }
    }

    /// Kills a child of ours that the caller knows not to have been waited for: its pid is nobody else's.
    public static void kill(long pid) {
        try {
            if (NativeDirectory.available()) {
                Libc.signal(pid, SIGKILL);
            }
        } catch (SystemFault | LinkageError | RuntimeException gone) {
            // Ended meanwhile, or out of reach.
        }
    }
}
