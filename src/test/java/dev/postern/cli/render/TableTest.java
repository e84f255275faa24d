package dev.postern.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-4")
class TableTest {
    @Test
    void alignsColumns() {
        var table = new Table("A", "LONGER", "C").row("one", "2", "x").row("1", "two", "y");

        assertThat(text(table, 0)).isEqualTo("A    LONGER  C\none  2       x\n1    two     y\n");
    }

    @Test
    void alignsWideCharactersAndEmojiByTheColumnsTheyTake() {
        var table =
                new Table("N", "X").row("日本", "1").row("ab", "2").row("😀", "3").row("e\u0301", "4");

        assertThat(text(table, 0)).isEqualTo("N     X\n日本  1\nab    2\n😀    3\ne\u0301     4\n");
    }

    @Test
    void foldsTheWidestColumnsToFitTheTerminal() {
        var table = new Table("TOOL", "DESCRIPTION").row("read", "reads one file and returns what is in it as text");

        assertThat(text(table, 30)).isEqualTo("""
                        TOOL  DESCRIPTION
                        read  reads one file and
                              returns what is in it as
                              text
                        """);
    }

    @Test
    void foldsWideCharactersWithoutCuttingOne() {
        var table = new Table("N").row("日本語日本語日本語日本語");

        assertThat(text(table, 13)).isEqualTo("N\n日本語日本語\n日本語日本語\n");
    }

    @Test
    @Tag("CAT-5")
    void showsOneLineForEachRowWhateverIsInTheCells() {
        var table = new Table("A", "B").row("x\ny\r\n\tz", "\u001b[2J").row("1", "2");

        assertThat(text(table, 0)).isEqualTo("A      B\nx y z  \\u{1B}[2J\n1      2\n");
    }

    private static String text(Table table, int width) {
        var out = new ByteArrayOutputStream();
        var printer = new Printer(out, false);
        table.print(printer, width);
        printer.flush();
        return out.toString(StandardCharsets.UTF_8);
    }
}
