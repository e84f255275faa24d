package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("RUN-3")
class TokenEstimateTest {
    @Test
    void countsWordsOfEnglishAboutOnce() {
        assertThat(TokenEstimate.of("The quick brown fox jumps over the lazy dog"))
                .isBetween(8L, 11L);
        assertThat(TokenEstimate.of("")).isZero();
    }

    @Test
    void takesWhatLooksLikeAControlTokenForText() {
        assertThat(TokenEstimate.of("<|endoftext|>")).isGreaterThan(1);
    }

    @Test
    void countsEveryPartOfARequest() {
        var messages = List.<Message>of(
                new Message.User("one"),
                new Message.Assistant("two", List.of(new ToolCall("a", "read", "{\"input\":\"three\"}"))),
                new Message.Results(List.of(new ToolAnswer("a", "read", "four", false))));
        var request = new ModelRequest("five", messages, List.of(Chats.tool("read")));

        long parts = TokenEstimate.of("five");
        for (var message : messages) {
            assertThat(TokenEstimate.COUNT.of(message)).isPositive();
            parts += TokenEstimate.COUNT.of(message);
        }
        parts += TokenEstimate.COUNT.of(Chats.tool("read"));

        assertThat(TokenEstimate.COUNT.of(Chats.tool("read"))).isGreaterThan(20);
        assertThat(TokenEstimate.COUNT.of(request)).isBetween(parts, parts + 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "\n", "é", "😀", "{\"", "\ud83d"})
    @Timeout(60)
    @Tag("LIM-3")
    void isNotSlowForAnyText(String piece) {
        assertThat(TokenEstimate.of(piece.repeat(300_000 / piece.length()))).isPositive();
    }
}
