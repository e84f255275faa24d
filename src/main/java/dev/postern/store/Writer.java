package dev.postern.store;

import dev.postern.base.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The one thread that writes. Whatever waits when it comes round is written in one transaction, so that all
/// of it shares one wait for the disk; nobody is told before the commit has returned. [#write] is safe for use
/// by many threads.
final class Writer implements AutoCloseable {
    /// More callers than that at once wait to be let in, instead of filling the memory.
    private static final int MOST_WAITING = 1_024;

    /// One transaction holds no more, so that other processes get their turn.
    private static final int MOST_TOGETHER = 256;

    private final Statements statements;
    private final Path file;
    private final @Nullable Object identity;
    private final Steps steps;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Deque<Job> waiting = new ArrayDeque<>();
    private final Thread thread;
    private List<Job> taken = List.of();
    private boolean closed;
    private @Nullable StoreException ended;

    /// What is to be written. May run twice: a transaction that one of its jobs has failed is taken apart, and each
    /// tried alone.
    interface Work {
        void write(Statements statements) throws SQLException;
    }

    /// Told before and after what changes the disk; a test stops the program there.
    interface Steps {
        Steps NONE = step -> {};

        void at(Step step);
    }

    enum Step {
        BEFORE_BEGIN,
        BEFORE_COMMIT,
        AFTER_COMMIT
    }

    private record Job(Work work, CompletableFuture<@Nullable StoreException> done) {}

    /// @param statements of a connection that from now on is the writer's own
    Writer(Statements statements, Path file, Steps steps) {
        this.statements = statements;
        this.file = file;
        this.identity = identity(file);
        this.steps = steps;
        this.thread = Threads.platform("postern-store", this::work);
    }

    /// Returns when `work` has reached the disk.
    ///
    /// @throws StoreException when it has not, and nothing of it will
    void write(Work work) throws StoreException {
        var job = new Job(work, new CompletableFuture<>());
        lock.lock();
        try {
            while (waiting.size() == MOST_WAITING && !closed) {
                room.awaitUninterruptibly();
            }
            if (ended != null) {
                throw new StoreException(ended.problem(), ended);
            }
            if (closed) {
                throw new StoreException(StoreProblems.closed());
            }
            waiting.add(job);
            arrived.signal();
        } finally {
            lock.unlock();
        }
        var fault = job.done.join();
        if (fault != null) {
            throw new StoreException(fault.problem(), fault);
        }
    }

    /// Writes what waits, then closes the connection and ends the thread. Harmless when called again.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signal();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        Threads.join(thread);
    }

    private void work() {
        try {
            for (var batch = next(); !batch.isEmpty(); batch = next()) {
                together(batch);
            }
        } catch (RuntimeException | Error e) {
            abandon(new StoreException(StoreProblems.fault(file, e), e));
        } finally {
            try {
                statements.close();
            } catch (SQLException e) {
                // Everything that was promised is on the disk.
            }
        }
    }

    /// Nothing more is written; everybody who waits or comes later learns why.
    private void abandon(StoreException why) {
        lock.lock();
        try {
            ended = why;
            closed = true;
            taken.forEach(job -> job.done.complete(why));
            waiting.forEach(job -> job.done.complete(why));
            waiting.clear();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// What waits, or nothing when there will be no more.
    private List<Job> next() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            var batch = new ArrayList<Job>(Math.min(waiting.size(), MOST_TOGETHER));
            taken = batch;
            while (!waiting.isEmpty() && batch.size() < MOST_TOGETHER) {
                batch.add(waiting.remove());
            }
            room.signalAll();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void together(List<Job> batch) {
        var fault = transaction(batch);
        if (batch.size() > 1 && fault instanceof Fault.OfOne) {
            batch.forEach(job -> job.done.complete(why(transaction(List.of(job)))));
        } else {
            batch.forEach(job -> job.done.complete(why(fault)));
        }
    }

    /// Why a transaction was not written.
    private sealed interface Fault {
        StoreException why();

        /// One of the jobs may have caused it.
        record OfOne(StoreException why) implements Fault {}

        /// The next transaction would have it as well, after the same wait.
        record OfAll(StoreException why) implements Fault {}
    }

    private static @Nullable StoreException why(@Nullable Fault fault) {
        return fault == null ? null : fault.why();
    }

    /// What tells the file from any other that takes its place; null when it is gone.
    private static @Nullable Object identity(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    /// @throws StoreException when the file was moved, replaced or deleted since it was opened
    void checkPlace() throws StoreException {
        if (displaced()) {
            throw new StoreException(StoreProblems.displaced(file));
        }
    }

    private boolean displaced() {
        return !Objects.equals(identity, identity(file));
    }

    private @Nullable Fault transaction(List<Job> jobs) {
        steps.at(Step.BEFORE_BEGIN);
        if (displaced()) {
            return new Fault.OfAll(new StoreException(StoreProblems.displaced(file)));
        }
        try {
            statements.run("BEGIN IMMEDIATE");
            for (var job : jobs) {
                job.work.write(statements);
            }
            steps.at(Step.BEFORE_COMMIT);
            statements.run("COMMIT");
            steps.at(Step.AFTER_COMMIT);
            return null;
        } catch (SQLException e) {
            rollBack();
            var why = StoreProblems.of(e, file);
            return StoreProblems.ofOneStatement(e) ? new Fault.OfOne(why) : new Fault.OfAll(why);
        } catch (RuntimeException | Error e) {
            rollBack();
            return new Fault.OfOne(new StoreException(StoreProblems.fault(file, e), e));
        }
    }

    private void rollBack() {
        try {
            statements.script("ROLLBACK");
        } catch (SQLException e) {
            // SQLite has done so itself, as after a full disk.
        }
        statements.renew();
    }
}
