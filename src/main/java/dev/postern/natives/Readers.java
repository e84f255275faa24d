package dev.postern.natives;

/// Whether anybody is left to read what this process writes.
public final class Readers {
    private static final int STANDARD_OUTPUT = 1;

    private Readers() {}

    /// True once the other end of standard output, a pipe or a socket, is closed for good: a write would fail.
    /// Writes nothing and does not wait. False for files and terminals, and where the system can't be asked.
    public static boolean haveLeft() {
        try {
            return NativeDirectory.available() && Libc.broken(STANDARD_OUTPUT);
        } catch (SystemFault | LinkageError unavailable) {
            return false;
        }
    }
}
