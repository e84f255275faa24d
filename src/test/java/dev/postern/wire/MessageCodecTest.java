package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("WIR-1")
class MessageCodecTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|a batch",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]|a batch",
                "1|not an object",
                "null|not an object",
                "\"text\"|not an object",
                "{}|jsonrpc is not \"2.0\"",
                "{\"id\":1,\"result\":{}}|jsonrpc is not \"2.0\"",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}|jsonrpc is not \"2.0\"",
                "{\"jsonrpc\":2.0,\"id\":1,\"result\":{}}|jsonrpc is not \"2.0\"",
                "{\"JSONRPC\":\"2.0\",\"id\":1,\"result\":{}}|jsonrpc is not \"2.0\"",
                "{\"jsonrpc\":\"2.0\"}|neither method, result nor error",
                "{\"jsonrpc\":\"2.0\",\"id\":1}|neither method, result nor error",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"Result\":{}}|neither method, result nor error",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}"
                        + "|both result and error",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":null}|both result and error",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":{}}|both a request and a response",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"error\":null}|both a request and a response",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}|method is not a string",
                "{\"jsonrpc\":\"2.0\",\"method\":null}|method is not a string",
                "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}|params is not an object",
                "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null}|params is not an object",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"m\"}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"result\":{}}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{}}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":1e0,\"result\":{}}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":true,\"result\":{}}|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":[1],\"error\":{\"code\":1,\"message\":\"\"}}"
                        + "|id is neither a string nor an integer",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null}|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"1\",\"message\":\"\"}}"
                        + "|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.0,\"message\":\"\"}}"
                        + "|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":4294967296,\"message\":\"\"}}"
                        + "|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}|error has no integer code or no message",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":null}}"
                        + "|error has no integer code or no message",
            })
    @Tag("WIR-2")
    @Tag("WIR-3")
    @Tag("F4")
    @Tag("F5")
    void refusesJsonThatIsNoMessage(String text, String reason) {
        assertThat(decode(text)).isEqualTo(new MessageCodec.Invalid(reason));
    }

    @Test
    void readsRequestWithItsIdAsWritten() {
        assertThat(message("{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"ping\"}"))
                .isEqualTo(new Message.Request(TextNode.valueOf("7"), "ping", null));
        assertThat(message("{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"m\",\"params\":{\"a\":1}}"))
                .isEqualTo(new Message.Request(
                        IntNode.valueOf(-7), "m", JSON.objectNode().put("a", 1)));
    }

    @Test
    void readsNotification() {
        assertThat(message("{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{}}"))
                .isEqualTo(new Message.Notification("n", JSON.objectNode()));
    }

    @Test
    void readsResultOfAnyJsonValueAndIgnoresUnknownMembers() {
        assertThat(message("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null,\"extra\":[]}"))
                .isEqualTo(new Message.Result(IntNode.valueOf(1), NullNode.getInstance()));
    }

    @Test
    void readsFailure() {
        assertThat(message(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":[1]}}"))
                .isEqualTo(new Message.Failure(
                        IntNode.valueOf(1), -32601, "no", JSON.arrayNode().add(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse\"}}",
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"parse\"}}",
            })
    @Tag("F5")
    void readsFailureThatAnswersNoRequestInParticular(String text) {
        assertThat(message(text)).isEqualTo(new Message.Failure(NullNode.getInstance(), -32700, "parse", null));
    }

    static Stream<Message> messages() {
        var params =
                JSON.objectNode().put("text", "line\nbreak\r\u0085\u2028 é😀").put("number", 1);
        return Stream.of(
                new Message.Request(IntNode.valueOf(1), "tools/call", params),
                new Message.Request(TextNode.valueOf("a\nb"), "ping", null),
                new Message.Notification("notifications/initialized", null),
                new Message.Notification("n", params),
                new Message.Result(IntNode.valueOf(1), JSON.objectNode()),
                new Message.Failure(IntNode.valueOf(1), -32601, "Method not found", null),
                new Message.Failure(NullNode.getInstance(), -1, "", params));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesOneLineThatReadsBackTheSame(Message message) {
        byte[] line = MessageCodec.encode(message);
        String text = new String(line, StandardCharsets.UTF_8);

        assertThat(text).endsWith("\n");
        assertThat(text.indexOf('\n')).isEqualTo(text.length() - 1);
        assertThat(message(text)).isEqualTo(message);
    }

    @Test
    void writesMembersThatAreAbsentNotAtAll() {
        assertThat(new String(
                        MessageCodec.encode(new Message.Request(IntNode.valueOf(3), "ping", null)),
                        StandardCharsets.UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
    }

    private static Message message(String text) {
        var decoded = decode(text);
        assertThat(decoded).isInstanceOf(MessageCodec.Valid.class);
        return ((MessageCodec.Valid) decoded).message();
    }

    private static MessageCodec.Decoded decode(String text) {
        var parsed = StrictJson.parse(text);
        assertThat(parsed).isInstanceOf(StrictJson.Valid.class);
        return MessageCodec.decode(((StrictJson.Valid) parsed).value());
    }
}
