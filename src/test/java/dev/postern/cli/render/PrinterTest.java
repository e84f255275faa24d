package dev.postern.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-6")
class PrinterTest {
    private static final int TEN_MEGABYTES = 10_000_000;

    @Test
    void writesEverythingIntoASlowPipe() throws IOException {
        var pipe = new PipedInputStream(512);
        var printer = new Printer(new PipedOutputStream(pipe), false);
        var writer = Thread.ofVirtual().start(() -> {
            printer.text("é".repeat(TEN_MEGABYTES / 2)).line("end").flush();
        });

        byte[] read = pipe.readNBytes(TEN_MEGABYTES + 4);

        assertThat(new String(read, StandardCharsets.UTF_8))
                .hasSize(TEN_MEGABYTES / 2 + 4)
                .endsWith("éend\n");
        assertThat(printer.failure()).isNull();
        assertThat(writer).isNotNull();
    }

    @Test
    void endsQuietlyWhenTheReaderHasGone() {
        var printer = new Printer(failing("Broken pipe"), false);

        printer.text("x".repeat(100_000)).line("more").flush();

        assertThat(printer.failure()).isNull();
    }

    @Test
    void endsQuietlyWhenTheReaderOfAPrintStreamHasGone() {
        var printer = new Printer(new PrintStream(failing("Broken pipe"), false, StandardCharsets.UTF_8), false);

        printer.text("x".repeat(100_000)).line("more").flush();

        assertThat(printer.failure()).isNull();
    }

    @Test
    void stopsWritingOnceTheReaderHasGone() {
        var counting = new OutputStream() {
            int writes;

            @Override
            public void write(int b) throws IOException {
                writes++;
                throw new IOException("Broken pipe");
            }
        };
        var printer = new Printer(counting, false);

        printer.text("x".repeat(1_000_000)).flush();

        assertThat(counting.writes).isEqualTo(1);
    }

    @Test
    void remembersThatTheDiskWasFull() {
        var printer = new Printer(failing("No space left on device"), false);

        printer.line("text").flush();

        assertThat(printer.failure()).isEqualTo("No space left on device");
    }

    @Test
    @Tag("CLI-4")
    void coloursOnlyWhereColourIsWanted() {
        var plain = new ByteArrayOutputStream();
        var coloured = new ByteArrayOutputStream();
        var one = new Printer(plain, false);
        var other = new Printer(coloured, true);

        one.styled(Style.BAD, "no").flush();
        other.styled(Style.BAD, "no").flush();

        assertThat(plain.toString(StandardCharsets.UTF_8)).isEqualTo("no");
        assertThat(coloured.toString(StandardCharsets.UTF_8)).isEqualTo("\u001b[31mno\u001b[0m");
    }

    @Test
    @Tag("CAT-5")
    @Tag("F35")
    void letsNoControlCharacterThrough() {
        var out = new ByteArrayOutputStream();
        var printer = new Printer(out, true);

        printer.text("a\u001b[2Jb\u009b31mc\u202ed\u200be\u0007\u007f\u0000\r").styled(Style.BOLD, "\u001b]0;x\u0007");
        printer.flush();

        var text = out.toString(StandardCharsets.UTF_8).replace("\u001b[1m", "").replace("\u001b[0m", "");
        assertThat(text.codePoints().noneMatch(c -> c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x202E || c == 0x200B))
                .isTrue();
        assertThat(text).contains("\\u{1B}[2J", "\\u{202E}", "\\u{D}");
    }

    @Test
    void keepsLinesAndTabsOfText() {
        var out = new ByteArrayOutputStream();
        var printer = new Printer(out, false);

        printer.text("a\tb\r\nc\n").flush();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\tb\nc\n");
    }

    private static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
