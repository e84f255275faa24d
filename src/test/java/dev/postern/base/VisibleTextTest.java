package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CAT-5")
@Tag("T35")
class VisibleTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7, 7",
        "8, 8",
        "D, D",
        "1B, 1B",
        "7F, 7F",
        "85, 85",
        "9B, 9B",
        "AD, AD",
        "34F, 34F",
        "61C, 61C",
        "115F, 115F",
        "180E, 180E",
        "200B, 200B",
        "200C, 200C",
        "200D, 200D",
        "200E, 200E",
        "200F, 200F",
        "2028, 2028",
        "2029, 2029",
        "202A, 202A",
        "202E, 202E",
        "2060, 2060",
        "2066, 2066",
        "2069, 2069",
        "2800, 2800",
        "3164, 3164",
        "E000, E000",
        "FE0F, FE0F",
        "FEFF, FEFF",
        "FFA0, FFA0",
        "FFF9, FFF9",
        "FFFF, FFFF",
        "378, 378",
        "1D173, 1D173",
        "E0001, E0001",
        "E0041, E0041",
        "E007F, E007F",
        "E0100, E0100",
        "F0000, F0000",
        "10FFFF, 10FFFF"
    })
    void makesCodePointVisible(String codePoint, String shown) {
        var text = "a" + Character.toString(Integer.parseInt(codePoint, 16)) + "b";

        assertThat(VisibleText.of(text)).isEqualTo("a\\u{" + shown + "}b");
        assertThat(VisibleText.block(text)).isEqualTo("a\\u{" + shown + "}b");
    }

    @Test
    void makesUnpairedSurrogatesVisible() {
        assertThat(VisibleText.of("a\uD83Db\uDE00\uD83D")).isEqualTo("a\\u{D83D}b\\u{DE00}\\u{D83D}");
    }

    @Test
    void keepsLineFeedsAndTabsInBlocksOnly() {
        assertThat(VisibleText.of("a\n\tb")).isEqualTo("a\\u{A}\\u{9}b");
        assertThat(VisibleText.block("a\n\tb\r\n")).isEqualTo("a\n\tb\\u{D}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain ~ text \\ {}",
                "Größe, 日本語, العربية, עברית, हिन्दी, e\u0301",
                "no\u00a0break, ideographic\u3000blank",
                "\uD83D\uDE00 \u2764\uFE0F \u2600\uFE0E 1\uFE0F\u20E3",
                "\uD83D\uDC69\u200D\uD83D\uDCBB \uD83D\uDC69\uD83C\uDFFD\u200D\u2764\uFE0F\u200D\uD83D\uDC69",
                "\uD83C\uDFF3\uFE0F\u200D\uD83C\uDF08 \uD83C\uDDEB\uD83C\uDDF7",
                "\u0601"
            })
    void keepsOrdinaryTextAndEmoji(String text) {
        assertThat(VisibleText.of(text)).isEqualTo(text);
    }

    @Test
    void makesJoinersAndSelectorsOutsideEmojiVisible() {
        assertThat(VisibleText.of("ad\u200Dmin")).isEqualTo("ad\\u{200D}min");
        assertThat(VisibleText.of("\uD83D\uDE00\u200D")).isEqualTo("\uD83D\uDE00\\u{200D}");
        assertThat(VisibleText.of("\uD83D\uDE00\u200D\u200D\uD83D\uDE00"))
                .isEqualTo("\uD83D\uDE00\\u{200D}\\u{200D}\uD83D\uDE00");
        assertThat(VisibleText.of("\u2764\uFE0F\uFE0F\uFE01")).isEqualTo("\u2764\uFE0F\\u{FE0F}\\u{FE01}");
        assertThat(VisibleText.of("\uFE0F\u200Da")).isEqualTo("\\u{FE0F}\\u{200D}a");
    }

    @Test
    void takesFlagsMadeOfTagsApart() {
        assertThat(VisibleText.of("\uD83C\uDFF4" + Character.toString(0xE0067) + Character.toString(0xE007F)))
                .isEqualTo("\uD83C\uDFF4\\u{E0067}\\u{E007F}");
    }

    @Test
    void neverLetsATerminalSequenceThrough() {
        var random = new Random(1);
        for (int round = 0; round < 2_000; round++) {
            var text = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                text.append((char) (random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(0xA0)));
            }
            for (var shown : new String[] {VisibleText.of(text.toString()), VisibleText.block(text.toString())}) {
                assertThat(shown.chars())
                        .noneMatch(c -> (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0));
            }
            assertThat(VisibleText.of(VisibleText.of(text.toString()))).isEqualTo(VisibleText.of(text.toString()));
        }
    }

    @Test
    void cutsBetweenCodePoints() {
        assertThat(VisibleText.line("🙂🙂🙂", 2)).isEqualTo("🙂🙂…");
        assertThat(VisibleText.line("🙂🙂", 2)).isEqualTo("🙂🙂");
        assertThat(VisibleText.cut("🙂\n🙂", 2)).isEqualTo("🙂\n…");
        assertThat(VisibleText.line("a\nb", 3)).isEqualTo("a\\u{A}b");
    }
}
