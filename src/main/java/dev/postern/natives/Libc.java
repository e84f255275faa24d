package dev.postern.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Linux's system calls by which files are handled relative to an open directory, orphans adopted and signals
/// sent, on x86-64 and AArch64. All go through the C library's `syscall`, because linking a function costs tens
/// of milliseconds of processor time in a cold process, and so it is paid once. `statx` is used since its
/// layout is the same on every processor.
///
/// Results below zero are turned into [SystemFault]; calls that a signal interrupted are repeated.
final class Libc {
    static final int AT_CWD = -100;
    static final int READ = 0;
    static final int WRITE = 1;
    static final int CREATE_NEW = 0x40 | 0x80;
    static final int NO_TERMINAL = 0x100;
    static final int NO_WAITING = 0x800;
    static final int CLOSE_ON_EXEC = 0x80000;

    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final boolean INTEL = System.getProperty("os.arch", "").equals("amd64");

    static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final int NO_FOLLOWING = ARM ? 0x8000 : 0x20000;

    private static final int OPENAT = ARM ? 56 : 257;
    private static final int STATX = ARM ? 291 : 332;
    private static final int READ_CALL = ARM ? 63 : 0;
    private static final int WRITE_CALL = ARM ? 64 : 1;
    private static final int CLOSE = ARM ? 57 : 3;
    private static final int FSYNC = ARM ? 82 : 74;
    private static final int FCHMOD = ARM ? 52 : 91;
    private static final int MKDIRAT = ARM ? 34 : 258;
    private static final int UNLINKAT = ARM ? 35 : 263;
    private static final int RENAMEAT2 = ARM ? 276 : 316;
    private static final int PRCTL = ARM ? 167 : 157;
    private static final int WAIT4 = ARM ? 260 : 61;
    private static final int KILL = ARM ? 129 : 62;
    private static final int FLOCK = ARM ? 32 : 73;
    private static final int FCNTL = ARM ? 25 : 72;
    private static final int PPOLL = ARM ? 73 : 271;
    private static final int GETSOCKNAME = ARM ? 204 : 51;
    private static final int GETSOCKOPT = ARM ? 209 : 55;

    private static final long EXCLUSIVE_NOT_WAITING = 2 | 4;
    private static final int WOULD_BLOCK = 11;
    private static final int GET_LOCK = 5;
    private static final short WRITE_LOCK = 1;
    private static final short NO_LOCK = 2;
    private static final int LOCK_SIZE = 32;
    private static final int LOCK_PROCESS = 24;
    private static final int POLL_ERROR = 8;

    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int LONGEST_ADDRESS = 128;

    private static final long EMPTY_PATH = 0x1000;
    private static final long SYMLINK_NOFOLLOW = 0x100;
    private static final long BASIC_FIELDS = 0x7FF;
    private static final long SET_CHILD_SUBREAPER = 36;
    private static final long NO_HANGING = 1;
    private static final int STATUS_SIZE = 256;
    private static final int INTERRUPTED = 4;

    private static final StructLayout ERROR = Linker.Option.captureStateLayout();
    private static final long ERROR_OFFSET = ERROR.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL = link();

    private Libc() {}

    /// Whether this system's numbers and layouts are known. Where its functions can't be called, loading this
    /// class has failed before.
    static boolean usable() {
        return System.getProperty("os.name", "").equals("Linux") && (ARM || INTEL);
    }

    static int open(int directory, String name, int flags, int mode) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            return (int) call(arena, name, OPENAT, directory, text(arena, name), flags, mode, 0);
        }
    }

    static FileStatus status(int file) throws SystemFault {
        return status(file, "", EMPTY_PATH);
    }

    static FileStatus status(int directory, String name) throws SystemFault {
        return status(directory, name, SYMLINK_NOFOLLOW);
    }

    /// At most `most` bytes, in one transfer.
    static byte[] read(int file, int most) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(Math.max(1, most));
            long count = call(arena, "", READ_CALL, file, buffer.address(), most, 0, 0);
            return buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    static void write(int file, byte[] bytes) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            for (long done = 0; done < bytes.length; ) {
                done += call(arena, "", WRITE_CALL, file, buffer.address() + done, bytes.length - done, 0, 0);
            }
        }
    }

    static void sync(int file) throws SystemFault {
        run("", FSYNC, file, 0);
    }

    /// Never repeated: Linux has given the number away even when it was interrupted.
    static void close(int file) {
        try (var arena = Arena.ofConfined()) {
            invoke(arena.allocate(ERROR), CLOSE, file, 0, 0, 0, 0);
        }
    }

    static void changeMode(int file, int mode) throws SystemFault {
        run("", FCHMOD, file, mode);
    }

    static void makeDirectory(int directory, String name, int mode) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            call(arena, name, MKDIRAT, directory, text(arena, name), mode, 0, 0);
        }
    }

    static void remove(int directory, String name) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            call(arena, name, UNLINKAT, directory, text(arena, name), 0, 0, 0);
        }
    }

    static void rename(int directory, String from, String to) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            call(arena, to, RENAMEAT2, directory, text(arena, from), directory, text(arena, to), 0);
        }
    }

    /// From now on, who descends from this process and loses its parent becomes its child.
    static void adoptOrphans() throws SystemFault {
        run("", PRCTL, SET_CHILD_SUBREAPER, 1);
    }

    /// Takes the exit status of one child that has ended; does nothing about one that lives.
    static void reap(long pid) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            call(arena, "", WAIT4, pid, 0, NO_HANGING, 0, 0);
        }
    }

    /// Needs no descriptor, unlike the JDK's. Signal 0 only asks whether the process is there.
    static void signal(long pid, int signal) throws SystemFault {
        run("", KILL, pid, signal);
    }

    /// Takes an exclusive lock on the open file itself, which ends with its last descriptor.
    ///
    /// @return false when another open file has it
    static boolean lock(int file) throws SystemFault {
        try {
            run("", FLOCK, file, EXCLUSIVE_NOT_WAITING);
            return true;
        } catch (SystemFault e) {
            if (e.number() == WOULD_BLOCK) {
                return false;
            }
            throw e;
        }
    }

    /// Which other process has a record lock on the file: 0 for none, below 0 where the kernel has no pid for it
    /// that means anything here.
    static long lockHolder(int file) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var lock = arena.allocate(LOCK_SIZE, 8);
            lock.set(ValueLayout.JAVA_SHORT, 0, WRITE_LOCK);
            call(arena, "", FCNTL, file, GET_LOCK, lock.address(), 0, 0);
            int pid = lock.get(ValueLayout.JAVA_INT, LOCK_PROCESS);
            return lock.get(ValueLayout.JAVA_SHORT, 0) == NO_LOCK ? 0 : pid > 0 ? pid : -1;
        }
    }

    /// Whether nobody can read any more what is written to a descriptor. Does not wait.
    static boolean broken(int file) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var poll = arena.allocate(8, 4);
            poll.set(ValueLayout.JAVA_INT, 0, file);
            var noTime = arena.allocate(16, 8);
            call(arena, "", PPOLL, poll.address(), 1, noTime.address(), 0, 0);
            return (poll.get(ValueLayout.JAVA_SHORT, 6) & POLL_ERROR) != 0;
        }
    }

    /// The address that a socket is bound to: its family in the first two bytes, then whatever that family has.
    static byte[] socketName(int socket) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(LONGEST_ADDRESS, 8);
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, LONGEST_ADDRESS);
            call(arena, "", GETSOCKNAME, socket, address.address(), length.address(), 0, 0);
            int bytes = Math.clamp(length.get(ValueLayout.JAVA_INT, 0), 0, LONGEST_ADDRESS);
            return address.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Who connected, or listened, at the other end of a Unix socket, as the kernel noted it at that moment.
    static Peer peer(int socket) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var credentials = arena.allocate(12, 4);
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, 12);
            call(arena, "", GETSOCKOPT, socket, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
            return new Peer(credentials.get(ValueLayout.JAVA_INT, 0), unsigned(credentials, 4));
        }
    }

    private static FileStatus status(int directory, String name, long flags) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            var to = arena.allocate(STATUS_SIZE, 8);
            call(arena, name, STATX, directory, text(arena, name), flags, BASIC_FIELDS, to.address());
            int mode = Short.toUnsignedInt(to.get(ValueLayout.JAVA_SHORT, 28));
            return new FileStatus(
                    FileStatus.Kind.of(mode),
                    unsigned(to, 136) << 32 | unsigned(to, 140),
                    to.get(ValueLayout.JAVA_LONG, 32),
                    mode & 0xFFF,
                    unsigned(to, 20),
                    unsigned(to, 16),
                    to.get(ValueLayout.JAVA_LONG, 40),
                    nanos(to, 112),
                    nanos(to, 96));
        }
    }

    private static long nanos(MemorySegment from, long offset) {
        return from.get(ValueLayout.JAVA_LONG, offset) * 1_000_000_000L + unsigned(from, offset + 8);
    }

    private static long unsigned(MemorySegment from, long offset) {
        return Integer.toUnsignedLong(from.get(ValueLayout.JAVA_INT, offset));
    }

    private static long text(Arena arena, String text) {
        return arena.allocateFrom(text).address();
    }

    private static void run(String name, int number, long first, long second) throws SystemFault {
        try (var arena = Arena.ofConfined()) {
            call(arena, name, number, first, second, 0, 0, 0);
        }
    }

    private static long call(Arena arena, String name, int number, long a, long b, long c, long d, long e)
            throws SystemFault {
        var error = arena.allocate(ERROR);
        while (true) {
            long result = invoke(error, number, a, b, c, d, e);
            if (result >= 0) {
                return result;
            }
            int fault = error.get(ValueLayout.JAVA_INT, ERROR_OFFSET);
            if (fault != INTERRUPTED) {
                throw new SystemFault(name, fault);
            }
        }
    }

    private static long invoke(MemorySegment error, int number, long a, long b, long c, long d, long e) {
        try {
            return (long) SYSCALL.invokeExact(error, (long) number, a, b, c, d, e);
        } catch (Throwable fault) {
            throw new IllegalStateException(fault);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
        var number = ValueLayout.JAVA_LONG;
        var linker = Linker.nativeLinker();
        var symbol = linker.defaultLookup()
                .find("syscall")
                .orElseThrow(() -> new UnsupportedOperationException("the C library has no syscall"));
        var shape = FunctionDescriptor.of(number, number, number, number, number, number, number);
        return linker.downcallHandle(
                symbol, shape, Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(1));
    }
}
