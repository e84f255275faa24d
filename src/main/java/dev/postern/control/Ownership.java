package dev.postern.control;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The proof that one process owns a data directory: a lock on `run/lock`, which the kernel gives back when the
/// process ends, however it ends (WRK-1). So a stale lock does not exist, and a live one is never taken. The
/// file is opened once in this process and stays: closing any descriptor of it would give the lock away.
public final class Ownership implements AutoCloseable {
    private static final Set<PosixFilePermission> OURS = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions.asFileAttribute(OURS);

    /// What this very process owns: to open the lock's file again, and close it, would give that away.
    private static final Set<Path> HELD = new HashSet<>();

    private final FileChannel file;
    private final Path run;
    private final Path held;

    private Ownership(FileChannel file, Path run, Path held) {
        this.file = file;
        this.run = run;
        this.held = held;
    }

    public sealed interface Taken {
        record Ours(Ownership ownership) implements Taken {}

        /// Another process owns it, or nobody could.
        record Not(Problem problem) implements Taken {}
    }

    /// Takes the directory for this process, if no living one has it, and writes `run/worker.pid`: its pid in
    /// the first line, what tells it from every other in the second.
    ///
    /// @param run the directory `run/`, which exists and is ours
    public static Taken take(Path run) {
        synchronized (HELD) {
            return takeUnlessHeld(run);
        }
    }

    private static Taken takeUnlessHeld(Path run) {
        @Nullable FileChannel file = null;
        try {
            var held = run.toRealPath();
            if (HELD.contains(held)) {
                return new Taken.Not(running(run));
            }
            file = FileChannel.open(
                    run.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), MODE);
            if (locked(file)) {
                var own = new Ownership(file, run, held);
                own.writePid();
                HELD.add(held);
                return new Taken.Ours(own);
            }
            file.close();
            return new Taken.Not(running(run));
        } catch (IOException e) {
            closeQuietly(file);
            return new Taken.Not(new Problem(
                    ErrorCode.WORKER_FAILED,
                    "The data directory can't be taken: "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()) + ".",
                    "Make " + run + " writable, on a file system that has locks."));
        }
    }

    /// The owner as it has written itself down; null when nobody has, or the file says nothing of the kind.
    /// Whether it still lives is another question.
    public static @Nullable ProcessIdentity written(Path run) {
        try {
            var lines = Files.readAllLines(run.resolve("worker.pid"));
            return lines.size() < 2 ? null : ProcessIdentity.parse(lines.get(1));
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

    private static Problem running(Path run) {
        var owner = written(run);
        if (owner != null && ProcessTable.life(owner) == ProcessTable.Life.DEAD) {
            // Its successor is about to write itself down.
            owner = null;
        }
        return new Problem(
                ErrorCode.WORKER_RUNNING,
                "The worker of this data directory is running"
                        + (owner == null ? "." : ": process " + owner.pid() + "."),
                "There is one for each data directory. `postern worker status` shows it, `postern worker stop` ends it.");
    }

    private void writePid() throws IOException {
        var own = ProcessTable.own();
        var fresh = run.resolve("worker.pid.new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, MODE);
        Files.writeString(fresh, own.pid() + "\n" + own.text() + "\n");
        Files.move(fresh, run.resolve("worker.pid"), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Gives the directory back. Everything else that belongs to the owner is gone by then.
    @Override
    public void close() {
        synchronized (HELD) {
            if (!HELD.remove(held)) {
                return;
            }
            try {
                Files.deleteIfExists(run.resolve("worker.pid"));
            } catch (IOException e) {
                // It names a dead process then, as after a kill.
            }
            closeQuietly(file);
        }
    }

    private static void closeQuietly(@Nullable FileChannel file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // Nothing to be done; the kernel gives the lock back at the latest when the process ends.
        }
    }
}
