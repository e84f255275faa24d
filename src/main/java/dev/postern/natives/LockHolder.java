package dev.postern.natives;

import java.nio.file.Path;

/// Who has locked a file, as the kernel knows it: no file that anybody writes can say something else.
public sealed interface LockHolder {
    record Nobody() implements LockHolder {}

    record Somebody(long pid) implements LockHolder {}

    /// This system can't be asked, or the process has no pid here.
    record Untold() implements LockHolder {}

    /// Which other process has a record lock on `file`, as [java.nio.channels.FileChannel#tryLock] takes one. Not
    /// to be asked by a process that has locked the file itself: to close any descriptor of it would give that
    /// lock away.
    static LockHolder of(Path file) {
        if (!NativeDirectory.available()) {
            return new Untold();
        }
        try {
            int flags = Libc.READ | Libc.NO_FOLLOWING | Libc.CLOSE_ON_EXEC | Libc.NO_WAITING | Libc.NO_TERMINAL;
            int descriptor = Libc.open(Libc.AT_CWD, file.toString(), flags, 0);
            try {
                long pid = Libc.lockHolder(descriptor);
                return pid == 0 ? new Nobody() : pid > 0 ? new Somebody(pid) : new Untold();
            } finally {
                Libc.close(descriptor);
            }
        } catch (SystemFault e) {
            return e.isMissing() ? new Nobody() : new Untold();
        }
    }
}
