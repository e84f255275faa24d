package dev.postern.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PeerTextTest {
    private final PeerText peerText = new PeerText(text -> text.replace("hunter2hunter2", "[redacted:PASSWORD]"));

    @Test
    @Tag("SEC-5")
    void redactsBeforeItShortens() {
        assertThat(peerText.quote("x".repeat(190) + "hunter2hunter2")).doesNotContain("hunter2");
    }

    @Test
    void shortensOnCodePoints() {
        assertThat(peerText.quote("😀".repeat(201))).isEqualTo("\"" + "😀".repeat(200) + "…\"");
        assertThat(peerText.quote("😀".repeat(200))).isEqualTo("\"" + "😀".repeat(200) + "\"");
    }

    @Test
    void showsNothingThatATerminalActsOnOrAReaderDoesNotSee() {
        assertThat(peerText.quote("a\u001b[31m\n\u202e\u200b\ud800é"))
                .isEqualTo("\"a\\u{1B}[31m\\u{A}\\u{202E}\\u{200B}\\u{D800}é\"");
    }
}
