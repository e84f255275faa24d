package dev.postern.natives;

import java.nio.file.Path;

/// An exclusive lock on a directory itself and on no name in it, so that nothing that is removed, renamed or
/// replaced in it or around it gives the lock away. The kernel does when it is closed, or this process ends,
/// however it ends.
public final class DirectoryLock implements AutoCloseable {
    private final int descriptor;
    private boolean closed;

    private DirectoryLock(int descriptor) {
        this.descriptor = descriptor;
    }

    public sealed interface Attempt {
        record Ours(DirectoryLock lock) implements Attempt {}

        /// Another process, or this one, has it.
        record Taken() implements Attempt {}

        /// The system or the file system has no such locks, as NFS has none on directories.
        record Unavailable() implements Attempt {}
    }

    /// Never waits.
    public static Attempt attempt(Path directory) {
        if (!NativeDirectory.available()) {
            return new Attempt.Unavailable();
        }
        try {
            int flags = Libc.READ | Libc.DIRECTORY | Libc.CLOSE_ON_EXEC | Libc.NO_WAITING;
            int descriptor = Libc.open(Libc.AT_CWD, directory.toString(), flags, 0);
            return attempt(descriptor);
        } catch (SystemFault e) {
            return new Attempt.Unavailable();
        }
    }

    private static Attempt attempt(int descriptor) {
        boolean ours = false;
        try {
            ours = Libc.lock(descriptor);
            return ours ? new Attempt.Ours(new DirectoryLock(descriptor)) : new Attempt.Taken();
        } catch (SystemFault unavailable) {
            return new Attempt.Unavailable();
        } finally {
            if (!ours) {
                Libc.close(descriptor);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }
}
