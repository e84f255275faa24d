package dev.postern.control;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.natives.DirectoryLock;
import dev.postern.natives.LockHolder;
import dev.postern.natives.ProcessTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The proof that one process owns a data directory (WRK-1): two locks, which the kernel gives back when the
/// process ends, however it ends. So a stale lock does not exist, and a live one is never taken.
///
/// - One on the data directory itself. No name stands for it: removing `run/lock` or all of `run/` does not
/// let a second owner in, and it moves with the directory. Network file systems and other systems than Linux may
/// not have it.
/// - One on `run/lock`, which every system has, and by which the kernel names the owner to whoever asks. The
/// file is opened once in this process and stays: closing any descriptor of it would give the lock away.
///
/// Where only the second holds, the name is all that keeps another one out. The owner therefore looks every
/// now and then whether both names still mean what it has locked ([#lost]), and ends if they don't. What it
/// removes at its end is only what is still its own: by then the names may be another one's.
public final class Ownership implements AutoCloseable {
    private static final String PID = "worker.pid";

    /// Who the owner is beyond its pid, which another process may have by now.
    private static final String IDENTITY = "worker.identity";

    private static final String LOCK = "lock";

    /// Of the line in either file; whatever is longer is not ours.
    private static final int LONGEST = 400;

    private static final Set<PosixFilePermission> OURS = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions.asFileAttribute(OURS);

    /// What this very process owns: to open the lock's file again, and close it, would give that away.
    private static final Set<Path> HELD = new HashSet<>();

    private final FileChannel file;
    private final @Nullable DirectoryLock lock;
    private final Path run;
    private final Path held;
    private final FileKeys keys;

    /// What tells the data directory and the lock's file from whatever else may get their names.
    private record FileKeys(Object directory, Object lock) {}

    private Ownership(FileChannel file, @Nullable DirectoryLock lock, Path run, Path held, FileKeys keys) {
        this.file = file;
        this.lock = lock;
        this.run = run;
        this.held = held;
        this.keys = keys;
    }

    public sealed interface Taken {
        record Ours(Ownership ownership) implements Taken {}

        /// Another process owns it, or nobody could.
        record Not(Problem problem) implements Taken {}
    }

    /// Takes the directory for this process, if no living one has it, and writes its pid into `run/worker.pid`
    /// and what tells it from every other process into `run/worker.identity`.
    ///
    /// @param run the directory `run/` of the data directory, which exists and is ours
    public static Taken take(Path run) {
        synchronized (HELD) {
            return takeUnlessHeld(run);
        }
    }

    private static Taken takeUnlessHeld(Path run) {
        try {
            var held = run.toRealPath();
            if (HELD.contains(held)) {
                return new Taken.Not(running(ProcessTable.own()));
            }
            return switch (DirectoryLock.attempt(run.resolveSibling("."))) {
                case DirectoryLock.Attempt.Taken _ -> new Taken.Not(running(owner(run)));
                case DirectoryLock.Attempt.Ours(DirectoryLock lock) -> take(run, held, lock);
                case DirectoryLock.Attempt.Unavailable _ -> take(run, held, null);
            };
        } catch (IOException e) {
            return new Taken.Not(untakable(run, e));
        }
    }

    private static Taken take(Path run, Path held, @Nullable DirectoryLock lock) {
        @Nullable FileChannel file = null;
        boolean taken = false;
        try {
            file = FileChannel.open(
                    run.resolve(LOCK), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), MODE);
            if (!locked(file)) {
                return new Taken.Not(running(owner(run)));
            }
            var keys = new FileKeys(key(run.resolveSibling(".")), key(run.resolve(LOCK)));
            var own = new Ownership(file, lock, run, held, keys);
            own.keepPid();
            HELD.add(held);
            taken = true;
            return new Taken.Ours(own);
        } catch (IOException e) {
            return new Taken.Not(untakable(run, e));
        } finally {
            if (!taken) {
                closeQuietly(file, lock);
            }
        }
    }

    private static Problem untakable(Path run, IOException why) {
        var file = why instanceof FileSystemException fault && fault.getFile() != null ? fault.getFile() + ": " : "";
        return new Problem(
                ErrorCode.WORKER_FAILED,
                "The data directory can't be taken: " + file + IoReason.of(why) + ".",
                "Make " + run + " writable, on a file system that has locks.");
    }

    private static Object key(Path file) throws IOException {
        return Objects.requireNonNull(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey(),
                "a file system that tells files apart");
    }

    /// The living process that owns a data directory, null when there is none, or none that can be seen. The
    /// kernel names it by its lock; only where it does not, what the owner wrote down must do, which counts as
    /// long as that very process lives.
    ///
    /// @param run the directory `run/`, which need not exist
    public static @Nullable ProcessIdentity owner(Path run) {
        synchronized (HELD) {
            if (!HELD.isEmpty() && HELD.contains(real(run))) {
                return ProcessTable.own();
            }
            return switch (LockHolder.of(run.resolve(LOCK))) {
                case LockHolder.Nobody _ -> null;
                case LockHolder.Somebody(long pid) -> ProcessTable.find(pid);
                case LockHolder.Untold _ -> {
                    var written = written(run);
                    yield written != null && ProcessTable.life(written) == ProcessTable.Life.ALIVE ? written : null;
                }
            };
        }
    }

    private static Path real(Path run) {
        try {
            return run.toRealPath();
        } catch (IOException e) {
            return run;
        }
    }

    /// The owner as it has written itself down; null when nobody has, or the file says nothing of the kind.
    static @Nullable ProcessIdentity written(Path run) {
        var line = line(run.resolve(IDENTITY));
        return line == null ? null : ProcessIdentity.parse(line);
    }

    /// The one line of a file, null where it is anything else.
    private static @Nullable String line(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
                return null;
            }
            var lines = Files.readAllLines(file);
            return lines.size() == 1 ? lines.getFirst() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static boolean locked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Somebody else in this process has locked it.
            return false;
        }
    }

    private static Problem running(@Nullable ProcessIdentity owner) {
        return new Problem(
                ErrorCode.WORKER_RUNNING,
                "The worker of this data directory is running"
                        + (owner == null ? "." : ": process " + owner.pid() + "."),
                "There is one for each data directory. `postern worker status` shows it, `postern worker stop` ends it.");
    }

    /// Why nobody can rely on this ownership any more, null while all can. What the system does not tell just now
    /// changes nothing.
    public @Nullable String lost() {
        var directory = run.resolveSibling(".").normalize();
        if (displaced(directory, keys.directory)) {
            return "the data directory " + directory + " was moved, removed or replaced";
        }
        return displaced(run.resolve(LOCK), keys.lock)
                ? "its lock " + run.resolve(LOCK) + " was removed or replaced"
                : null;
    }

    private static boolean displaced(Path file, Object key) {
        try {
            return !key(file).equals(key);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            // Where a directory of the path is none any more, nothing of ours is there.
            return !Files.isDirectory(file.resolveSibling("."));
        }
    }

    /// Writes `run/worker.pid` and what belongs to it anew where it is gone or says something else. Only while the
    /// ownership is not lost.
    public void keepPid() throws IOException {
        var own = ProcessTable.own();
        keep(IDENTITY, own.text());
        keep(PID, Long.toString(own.pid()));
    }

    private void keep(String name, String text) throws IOException {
        if (text.equals(line(run.resolve(name)))) {
            return;
        }
        var fresh = run.resolve(name + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, MODE);
        Files.writeString(fresh, text + "\n");
        Files.move(fresh, run.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Gives the directory back. Everything else that belongs to the owner is gone by then.
    @Override
    public void close() {
        synchronized (HELD) {
            if (!HELD.remove(held)) {
                return;
            }
            try {
                if (ProcessTable.own().equals(written(run))) {
                    Files.deleteIfExists(run.resolve(PID));
                    Files.deleteIfExists(run.resolve(IDENTITY));
                }
            } catch (IOException e) {
                // It names a dead process then, as after a kill.
            }
            closeQuietly(file, lock);
        }
    }

    private static void closeQuietly(@Nullable FileChannel file, @Nullable DirectoryLock lock) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // Nothing to be done; the kernel gives the lock back at the latest when the process ends.
        }
        if (lock != null) {
            lock.close();
        }
    }
}
