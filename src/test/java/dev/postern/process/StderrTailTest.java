package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("PRC-1")
@Tag("PRC-6")
class StderrTailTest {
    private final StderrTail stderr = new StderrTail();

    @Test
    void isEmptyAtFirst() {
        assertThat(stderr.tail()).isEqualTo(new StderrTail.Tail("", 0));
        assertThat(stderr.total()).isZero();
    }

    @Test
    void keepsEverythingUpToItsCapacity() {
        write("a".repeat(StderrTail.CAPACITY - 1));
        write("b");

        assertThat(stderr.tail().text()).isEqualTo("a".repeat(StderrTail.CAPACITY - 1) + "b");
        assertThat(stderr.tail().dropped()).isZero();
    }

    @Test
    void dropsTheOldestAndStartsAtTheStartOfLine() {
        String line = "0123456789 a line of thirty two\n";
        write(line.repeat(10_000));
        write("last\n");

        var tail = stderr.tail();

        assertThat(tail.text()).startsWith("0123456789").endsWith("two\nlast\n");
        assertThat(tail.text().length() + tail.dropped()).isEqualTo(stderr.total());
        assertThat(tail.text().length()).isBetween(50_000, StderrTail.CAPACITY);
    }

    @Test
    void neverShowsTheRestOfSecretThatWasCutByTheRing() {
        String key = "-----BEGIN KEY-----\n" + "c2VjcmV0c2VjcmV0c2VjcmV0\n".repeat(100) + "-----END KEY-----\n";
        write(key);
        write("x".repeat(99) + "\n");
        String filler = ("y".repeat(99) + "\n").repeat(2_000);
        int cut = StderrTail.CAPACITY - 500 - 100;

        write(filler.substring(0, cut));

        assertThat(stderr.total()).isGreaterThan(StderrTail.CAPACITY);
        assertThat(stderr.tail().text()).doesNotContain("c2Vj").doesNotContain("KEY");
    }

    @Test
    void holdsBackPartOfLineThatFillsTheRing() {
        write("secret".repeat(20_000));

        var tail = stderr.tail();

        assertThat(tail.text()).hasSize(StderrTail.CAPACITY - 8_192);
        assertThat(tail.text().length() + tail.dropped()).isEqualTo(120_000);
    }

    @Test
    void takesChunksLargerThanItself() {
        write("z".repeat(3 * StderrTail.CAPACITY) + "\nend");

        assertThat(stderr.tail().text()).isEqualTo("end");
        assertThat(stderr.total()).isEqualTo(3L * StderrTail.CAPACITY + 4);
    }

    @Test
    void replacesBytesThatAreNoUtf8() {
        stderr.add(new byte[] {'a', (byte) 0xff, (byte) 0xc3, (byte) 0xa9}, 4);

        assertThat(stderr.tail().text()).isEqualTo("a\ufffdé");
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stderr.add(bytes, bytes.length);
    }
}
