package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.EventParser.Event;
import dev.postern.model.EventParser.Fed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("MDL-1")
class EventParserTest {
    /// Read in one piece, and byte by byte: there must be no difference.
    private static List<Event> events(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var whole = new ArrayList<Event>();
        new EventParser(whole::add).feed(ByteBuffer.wrap(bytes));
        var slow = new ArrayList<Event>();
        var parser = new EventParser(slow::add);
        for (byte b : bytes) {
            assertThat(parser.feed(ByteBuffer.wrap(new byte[] {b}))).isEqualTo(Fed.MORE);
        }
        assertThat(slow).isEqualTo(whole);
        return whole;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void readsEventsWhateverEndsTheirLines(String end) {
        var text =
                "\uFEFF: hello~event: ping~id: 1~data: {\"a\":1}~~data:b~data~data:  c~~retry: 3~~".replace("~", end);

        assertThat(events(text)).containsExactly(new Event("ping", "{\"a\":1}"), new Event("", "b\n\n c"));
    }

    @Test
    void readsNoEventThatDoesNotEnd() {
        assertThat(events("data: a\n\ndata: b\n")).containsExactly(new Event("", "a"));
    }

    @Test
    void forgetsTheNameOfAnEventWithoutData() {
        assertThat(events("event: x\n\ndata: é😀\n\n")).containsExactly(new Event("", "é😀"));
    }

    @Test
    void readsNoFurtherThanItIsAskedTo() {
        var seen = new ArrayList<Event>();
        var parser = new EventParser(event -> {
            seen.add(event);
            return false;
        });

        assertThat(parser.feed(ByteBuffer.wrap("data: a\n\ndata: b\n\n".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(Fed.ENOUGH);
        assertThat(seen).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "data: xxxxxxxxxxxxxxxx\n"})
    @Tag("LIM-3")
    void holdsNoEventThatIsTooLarge(String piece) {
        var parser = new EventParser(event -> true);
        var bytes = piece.repeat(1_000).getBytes(StandardCharsets.UTF_8);
        var fed = Fed.MORE;
        for (int i = 0; i < 4_000 && fed == Fed.MORE; i++) {
            fed = parser.feed(ByteBuffer.wrap(bytes));
        }

        assertThat(fed).isEqualTo(Fed.TOO_LARGE);
    }
}
