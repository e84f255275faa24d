package dev.postern.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.wire.JsonSize;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RES-1")
class TextCutTest {
    @Test
    void keepsTextThatFitsExactly() {
        assertThat(TextCut.toFit("abc", 3)).isEqualTo("abc");
        assertThat(TextCut.toFit("a\"c", 4)).isEqualTo("a\"c");
    }

    @Test
    void cutsOneByteTooMany() {
        assertThat(TextCut.toFit("abc", 2)).isEqualTo("ab");
        assertThat(TextCut.toFit("a\"c", 3)).isEqualTo("a\"");
        assertThat(TextCut.toFit("abc", 0)).isEmpty();
        assertThat(TextCut.toFit("abc", -5)).isEmpty();
    }

    @Test
    void neverCutsInsideACodePoint() {
        assertThat(TextCut.toFit("a\uD83D\uDE00b", 4)).isEqualTo("a");
        assertThat(TextCut.toFit("a\uD83D\uDE00b", 5)).isEqualTo("a\uD83D\uDE00");
    }

    @Test
    void neverCutsInsideAGraphemeWhereOneEndsNearby() {
        var family = "\uD83D\uDC69\u200D\uD83D\uDC69\u200D\uD83D\uDC67";
        assertThat(TextCut.toFit("ab" + family, 8)).isEqualTo("ab");
        assertThat(TextCut.toFit("xe\u0301y", 2)).isEqualTo("x");
    }

    @Test
    void cutsInsideAGraphemeThatNeverEnds() {
        var endless = "a" + "\u0301".repeat(10_000);

        var cut = TextCut.toFit(endless, 5_000);

        assertThat(cut.length()).isBetween(2_000, 2_501);
    }

    @Test
    void neverExceedsTheRoomWhateverTheText() {
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            var text = random.ints(random.nextInt(60), 0, 0x2000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            int room = random.nextInt(80);

            var cut = TextCut.toFit(text, room);

            assertThat(JsonSize.ofString(cut) - 2).isLessThanOrEqualTo(room);
            assertThat(text).startsWith(cut);
        }
    }
}
