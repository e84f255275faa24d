package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.postern.base.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WriterTest {
    private static final int WAITING = 8;

    @TempDir
    Path directory;

    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final ConcurrentLinkedQueue<StoreException> failures = new ConcurrentLinkedQueue<>();
    private Path file = Path.of("");

    @BeforeEach
    void make() throws Exception {
        file = directory.resolve("postern.db");
        Stores.open(file).close();
    }

    /// One that waits for the first write's begin, so that all others come to be one batch.
    private Writer writer(Runnable first) throws Exception {
        var connection = Connections.open(file);
        Connections.run(connection, "PRAGMA busy_timeout = 0");
        return new Writer(new Statements(connection), file, step -> {
            if (step == Writer.Step.BEFORE_BEGIN && begun.getAndIncrement() == 0) {
                awaitHeld();
                first.run();
            }
        });
    }

    private void awaitHeld() {
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// One write that is held, and those that wait behind it; returns when all of them wait.
    private List<Thread> write(Writer writer) {
        var threads = new ArrayList<Thread>();
        for (int number = 0; number <= WAITING; number++) {
            var call = Stores.start(number);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    writer.write(to -> CallWrites.begin(to, "me", call, Stores.intent()));
                } catch (StoreException e) {
                    failures.add(e);
                }
            }));
            await().until(() -> threads.getLast().getState() == Thread.State.WAITING);
            await().until(() -> begun.get() == 1);
        }
        return threads;
    }

    private void release(List<Thread> threads) throws InterruptedException {
        held.countDown();
        for (var thread : threads) {
            thread.join();
        }
    }

    @Test
    @Tag("STO-3")
    void failsABatchAsAWholeWhereEachAloneWouldWaitForTheSame() throws Exception {
        try (var writer = writer(() -> {});
                var other = Connections.open(file)) {
            var threads = write(writer);
            Connections.run(other, "BEGIN IMMEDIATE");
            release(threads);

            assertThat(failures)
                    .hasSize(WAITING + 1)
                    .allMatch(failure -> failure.problem().code() == ErrorCode.STORAGE_UNWRITABLE);
            assertThat(begun).hasValue(2);

            Connections.run(other, "ROLLBACK");
            writer.write(to -> CallWrites.begin(to, "me", Stores.start(0), Stores.intent()));
        }
    }

    @Test
    @Tag("STO-3")
    void tellsEverybodyWhenItsThreadEnds() throws Exception {
        try (var writer = writer(() -> {
            throw new LinkageError("broken");
        })) {
            release(write(writer));

            assertThat(failures)
                    .hasSize(WAITING + 1)
                    .allMatch(failure -> failure.problem().message().contains("LinkageError"));
            var later = catchThrowableOfType(StoreException.class, () -> writer.write(to -> {}));
            assertThat(Objects.requireNonNull(later).problem().message()).contains("LinkageError");
        }
    }
}
