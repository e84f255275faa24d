package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ProcessIdentity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("PRC-4")
class LedgerTextTest {
    private static final ProcessIdentity OWNER = new ProcessIdentity(12, 345, "0f-boot", "pid:[4026531836]");
    private static final ProcessIdentity INSTANCE = new ProcessIdentity(67, 890, "0f-boot", "pid:[4026531836]");
    private static final String FIRST = LedgerText.first("files", OWNER, "0a1b");
    private static final String SECOND = LedgerText.second(INSTANCE, 67);

    @Test
    void readsWhatItWrites() {
        assertThat(LedgerText.parse(FIRST + SECOND)).isEqualTo(new LedgerText("files", OWNER, "0a1b", INSTANCE, 67));
        assertThat(LedgerText.parse(FIRST)).isEqualTo(new LedgerText("files", OWNER, "0a1b", null, 0));
    }

    @Test
    void countsNothingOfSecondPartThatIsNotWhole() {
        for (int length = 0; length < SECOND.length(); length++) {
            assertThat(LedgerText.parse(FIRST + SECOND.substring(0, length)))
                    .isEqualTo(new LedgerText("files", OWNER, "0a1b", null, 0));
        }
    }

    @Test
    void readsNothingOfFirstPartThatIsNotWhole() {
        for (int length = 0; length < FIRST.length(); length++) {
            assertThat(LedgerText.parse(FIRST.substring(0, length))).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "owner 0 345 b s\n",
                "owner 12 345 b\n",
                "owner 12 -345 b s\n",
                "owner 99999999999 1 b s\n",
                "owner 12 345 b s x\n"
            })
    void refusesOwnersThatAreNoIdentities(String owner) {
        assertThat(LedgerText.parse("postern-instance 1\nserver files\n" + owner + "marker 0a\n"))
                .isNull();
    }

    @Test
    void refusesEverythingElse() {
        assertThat(LedgerText.parse(FIRST + SECOND + "more")).isNull();
        assertThat(LedgerText.parse(FIRST + SECOND + SECOND)).isNull();
        assertThat(LedgerText.parse(FIRST + "something else")).isNull();
        assertThat(LedgerText.parse(FIRST + "instance 0 1 b s\nsession 0\n")).isNull();
        assertThat(LedgerText.parse(FIRST.replace("instance 1", "instance 2"))).isNull();
        assertThat(LedgerText.parse(FIRST.replace("0a1b", "0A1B"))).isNull();
        assertThat(LedgerText.parse(FIRST.replace("files", "Files/../x"))).isNull();
    }
}
