package dev.postern.cli.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-4")
class ProgressTest {
    @Test
    void showsALineOnATerminalAndWipesItWhenDone() {
        var out = new ByteArrayOutputStream();
        try (var _ = Progress.start(new Printer(out, false), "Starting \u001b[2Jfiles")) {
            await().untilAsserted(() -> assertThat(text(out)).contains("Starting \\u{1B}[2Jfiles 0 s"));
        }

        assertThat(text(out)).matches("(?s).*\r +\r");
        assertThat(text(out)).doesNotContain("\u001b");
    }

    @Test
    void staysQuietWhereThereIsNoTerminal() {
        var err = new ByteArrayOutputStream();
        var console = new Console(
                new Streams(InputStream.nullInputStream(), new ByteArrayOutputStream(), err),
                Terminal.NONE,
                false,
                UnaryOperator.identity());
        try (var _ = console.progress("Starting")) {
            console.err().flush();
        }

        assertThat(text(err)).isEmpty();
    }

    @Test
    void staysQuietWhenTheWorkIsQuick() {
        var out = new ByteArrayOutputStream();
        Progress.start(new Printer(out, false), "Starting").close();

        assertThat(text(out)).isEmpty();
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8);
    }
}
