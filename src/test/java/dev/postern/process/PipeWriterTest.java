package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Threads;
import dev.postern.base.Written;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P16")
@Tag("WIR-7")
class PipeWriterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Takes so many bytes, then blocks until it breaks.
    private static final class Pipe extends OutputStream {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final CountDownLatch broken = new CountDownLatch(1);
        private final int room;
        private volatile boolean closed;

        Pipe(int room) {
            this.room = room;
        }

        @Override
        public void write(int b) {
            throw new AssertionError("byte by byte");
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            if (taken.size() + count > room) {
                try {
                    assertThat(broken.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                throw new IOException("Broken pipe");
            }
            taken.write(bytes, from, count);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void writesInOrderAndClosesAfterTheLast() throws Exception {
        var pipe = new Pipe(1_000);
        var writer = new PipeWriter(pipe, PATIENCE);
        var first = writer.write(bytes("one "));
        var second = writer.write(bytes("two"));
        writer.finish();
        var late = writer.write(bytes("three"));

        assertThat(writer.run()).isFalse();

        assertThat(pipe.taken.toString(StandardCharsets.UTF_8)).isEqualTo("one two");
        assertThat(pipe.closed).isTrue();
        assertThat(first.get()).isEqualTo(Written.WHOLE);
        assertThat(second.get()).isEqualTo(Written.WHOLE);
        assertThat(late.get()).isEqualTo(Written.NOT_AT_ALL);
    }

    @Test
    void tellsHowFarMessageWentWhenThePipeBreaks() throws Exception {
        var pipe = new Pipe(10_000);
        var writer = new PipeWriter(pipe, PATIENCE);
        var whole = writer.write(new byte[1_000]);
        var partly = writer.write(new byte[20_000]);
        var behind = writer.write(new byte[1]);
        pipe.broken.countDown();

        assertThat(writer.run()).isTrue();

        assertThat(whole.get()).isEqualTo(Written.WHOLE);
        assertThat(partly.get()).isEqualTo(Written.PARTLY);
        assertThat(behind.get()).isEqualTo(Written.NOT_AT_ALL);
    }

    @Test
    void saysThatNothingWentOutWhenTheFirstWriteFails() throws Exception {
        var pipe = new Pipe(0);
        var writer = new PipeWriter(pipe, PATIENCE);
        var written = writer.write(new byte[4_096]);
        pipe.broken.countDown();

        assertThat(writer.run()).isTrue();

        assertThat(written.get()).isEqualTo(Written.NOT_AT_ALL);
        assertThat(writer.write(new byte[1]).get()).isEqualTo(Written.NOT_AT_ALL);
    }

    @Test
    @Tag("LIM-3")
    void refusesWhatWouldOverflowTheQueue() throws Exception {
        var writer = new PipeWriter(new Pipe(0), PATIENCE);
        var fits = writer.write(new byte[PipeWriter.QUEUE_BYTES]);
        var over = writer.write(new byte[1]);

        assertThat(over.get()).isEqualTo(Written.NOT_AT_ALL);
        assertThat(fits).isNotDone();
    }

    @Test
    void isStuckOnceItsDeadlineHasPassed() {
        var pipe = new Pipe(0);
        var writer = new PipeWriter(pipe, Duration.ofMillis(50));
        assertThat(writer.stuck()).isNull();
        var written = writer.write(new byte[1]);
        Thread thread = Threads.platform("test-writer", writer::run);

        await().atMost(PATIENCE).until(() -> writer.stuck() != null);
        assertThat(written).isNotDone();

        pipe.broken.countDown();
        await().atMost(PATIENCE).until(() -> !thread.isAlive());
        assertThat(writer.stuck()).isNull();
    }

    @Test
    void settlesEverythingWhenTheProcessIsGone() throws Exception {
        var writer = new PipeWriter(new Pipe(100), PATIENCE);
        var queued = writer.write(new byte[1]);
        writer.abandon();

        assertThat(writer.run()).isFalse();

        assertThat(queued.get()).isEqualTo(Written.NOT_AT_ALL);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
