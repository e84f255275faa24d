package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShellTextTest {
    @Test
    void leavesPlainWordsAsTheyAre() {
        assertThat(ShellText.quoted("/a/b-1.json")).isEqualTo("/a/b-1.json");
    }

    @Test
    void quotesWhatAShellWouldTakeApart() {
        assertThat(ShellText.quoted("/a b/it's")).isEqualTo("'/a b/it'\\''s'");
        assertThat(ShellText.quoted("/$(x)")).isEqualTo("'/$(x)'");
        assertThat(ShellText.quoted("~/é")).isEqualTo("'~/é'");
        assertThat(ShellText.quoted("")).isEqualTo("''");
    }
}
