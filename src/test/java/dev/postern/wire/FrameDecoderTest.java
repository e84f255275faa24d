package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("WIR-2")
class FrameDecoderTest {
    private static final int LIMIT = 262_144;

    private final List<Message> received = new ArrayList<>();
    private final FrameDecoder decoder = new FrameDecoder("The server", LIMIT, received::add);

    @Test
    @Tag("F1")
    void passesFrameExactlyAtTheLimit() {
        assertThat(feed(resultOfSize(LIMIT) + "\n")).isNull();

        assertThat(received).hasSize(1);
    }

    @Test
    @Tag("F1")
    @Tag("LIM-2")
    void closesConnectionWhenFrameExceedsLimit() {
        var problem = refused(resultOfSize(LIMIT + 1) + "\n");

        assertThat(problem.code()).isEqualTo(ErrorCode.WIRE_FRAME_TOO_LARGE);
        assertThat(problem.message())
                .isEqualTo("The server sent a line of 262145 bytes; the limit is 262144 (limits.frameBytes).");
        assertThat(problem.next()).contains("limits.frameBytes", "16777216");
        assertThat(received).isEmpty();
    }

    @Test
    @Tag("F1")
    void countsCarriageReturnAndByteOrderMarkIntoTheFrame() {
        assertThat(feed("\uFEFF" + resultOfSize(LIMIT - 4) + "\r\n")).isNull();
        assertThat(received).hasSize(1);

        assertThat(feed(resultOfSize(LIMIT) + "\r\n")).isNotNull();
    }

    @Test
    @Tag("F1")
    void closesAtTheFirstByteTooManyWithoutWaitingForTheLineToEnd() {
        assertThat(feed("x".repeat(LIMIT))).isNull();

        var problem = refused("x");

        assertThat(problem.message())
                .isEqualTo("The server sent a line of at least 262145 bytes; the limit is 262144 (limits.frameBytes).");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 8_192, 65_536, 262_144, 1_000_000})
    @Tag("F1")
    @Tag("F2")
    @Tag("LIM-3")
    void holdsNeverMoreThanTheLimitOfAnEndlessLine(int chunkSize) {
        byte[] chunk = "x".repeat(chunkSize).getBytes(StandardCharsets.UTF_8);
        int fed = 0;
        while (decoder.feed(chunk, 0, chunk.length) == null) {
            fed += chunk.length;
            assertThat(decoder.held()).isLessThanOrEqualTo(LIMIT);
        }

        assertThat(fed).isLessThanOrEqualTo(LIMIT).isGreaterThan(LIMIT - chunkSize);
        assertThat(decoder.held()).isZero();
    }

    @Test
    @Tag("LIM-3")
    void holdsLittleForALittleLineAndGivesBackABigBuffer() {
        feed("x");
        assertThat(decoder.held()).isLessThan(1_024);

        String big = resultOfSize(200_000);
        feed(big.substring(0, 100_000));
        feed(big.substring(100_000) + "\n");

        assertThat(decoder.held()).isLessThanOrEqualTo(16_384);
    }

    @Test
    void deliversNothingAfterItsVerdict() {
        var problem = refused("x".repeat(LIMIT + 1));

        assertThat(feed("\n" + result(1) + "\n")).isSameAs(problem);
        assertThat(received).isEmpty();
    }

    @Test
    void deliversMessagesBeforeTheOneThatIsTooLarge() {
        assertThat(feed(result(1) + "\n" + "x".repeat(LIMIT + 1))).isNotNull();

        assertThat(received).hasSize(1);
    }

    @Test
    @Tag("LIM-2")
    void takesAnotherLimitWhileItRuns() {
        decoder.frameLimit(100, Limit.FRAME_BYTES);
        assertThat(feed(resultOfSize(100) + "\n")).isNull();
        decoder.frameLimit(1_000, Limit.FRAME_BYTES);
        assertThat(feed(resultOfSize(1_000) + "\n")).isNull();
        decoder.frameLimit(100, Limit.FRAME_BYTES);

        assertThat(feed(resultOfSize(101) + "\n")).isNotNull();
        assertThat(received).hasSize(2);
    }

    @Test
    @Tag("LIM-2")
    void namesTheLimitThatIsInForce() {
        decoder.frameLimit(1_000, Limit.DISCOVERY_BYTES);

        var problem = refused(resultOfSize(1_001) + "\n");

        assertThat(problem.message())
                .isEqualTo("The server sent a line of 1001 bytes; the limit is 1000 (limits.discoveryBytes).");
        assertThat(problem.next()).contains("limits.discoveryBytes", "8388608").doesNotContain("frameBytes");
    }

    @Test
    void refusesWithItsNextByteALineThatALoweredLimitMadeTooLong() {
        feed(resultOfSize(1_000));
        decoder.frameLimit(100, Limit.FRAME_BYTES);

        var problem = refused("\n");

        assertThat(problem.message()).contains("a line of 1000 bytes", "the limit is 100");
    }

    @Test
    @Tag("F3")
    void readsTheSameHoweverTheBytesAreSplit() {
        byte[] stream = ("\uFEFF" + text(1, "é😀") + "\r\n" + "\r\n" + text(2, "\\r\\n") + "\n" + "chatter é\n"
                        + "\uFEFF" + text(3, "\u2028") + "\n" + result(4) + "\r\r\n" + "cut off")
                .getBytes(StandardCharsets.UTF_8);
        var whole = decode(stream, stream.length, 0);
        assertThat(whole.messages()).hasSize(4);
        assertThat(whole.noise().lines()).isEqualTo(2);

        for (int at = 1; at < stream.length; at++) {
            assertThat(decode(stream, at, stream.length - at))
                    .as("split at %d", at)
                    .isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7})
    @Tag("F3")
    void readsTheSameInSmallPieces(int size) {
        byte[] stream = (text(1, "é😀") + "\r\n" + text(2, "x") + "\n").getBytes(StandardCharsets.UTF_8);

        assertThat(decode(stream, size, size)).isEqualTo(decode(stream, stream.length, 0));
    }

    @Test
    @Tag("F3")
    void readsManyMessagesFromOneRead() {
        var text = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            text.append(result(i)).append('\n');
        }

        assertThat(feed(text.toString())).isNull();

        assertThat(received).hasSize(10_000);
        assertThat(received.get(9_999))
                .isEqualTo(new Message.Result(IntNode.valueOf(9_999), JsonNodeFactory.instance.objectNode()));
    }

    @Test
    void readsOnlyTheGivenPartOfTheChunk() {
        byte[] chunk = ("garbage" + result(1) + "\ngarbage").getBytes(StandardCharsets.UTF_8);

        assertThat(decoder.feed(chunk, 7, chunk.length - 14)).isNull();

        assertThat(received).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r",
                "   ",
                "\uFEFF",
                "Server listening on stdio",
                "{\"level\":\"info\",\"msg\":\"json log\"}",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":NaN}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":1e401}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"s\":\"\\ud83d\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\u0000",
                "\u0000{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\"",
            })
    @Tag("F4")
    void countsALineThatIsNoMessageAsNoise(String line) {
        assertThat(feed(line + "\n" + result(2) + "\n")).isNull();

        assertThat(received).hasSize(1);
        assertThat(decoder.noise()).isEqualTo(new FrameDecoder.Noise(1, line.getBytes(StandardCharsets.UTF_8).length));
    }

    @Test
    @Tag("F4")
    void countsInvalidUtf8AsNoise() {
        byte[] line = (text(1, "?") + "\n").getBytes(StandardCharsets.ISO_8859_1);
        line[new String(line, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xE9;

        assertThat(decoder.feed(line, 0, line.length)).isNull();

        assertThat(received).isEmpty();
        assertThat(decoder.noise().lines()).isEqualTo(1);
    }

    @Test
    void tolerates64LinesOfNoiseBeforeTheHandshakeEnds() {
        assertThat(feed("banner\n".repeat(64) + result(1) + "\n")).isNull();
        assertThat(received).hasSize(1);

        var problem = refused("banner\n");

        assertThat(problem.code()).isEqualTo(ErrorCode.WIRE_NOISE);
        assertThat(problem.message())
                .isEqualTo("The server sent 65 lines that are no JSON-RPC messages before the end of the handshake (64"
                        + " are tolerated; 390 bytes of noise in all).");
        assertThat(problem.message() + problem.next()).doesNotContain("banner");
    }

    @Test
    void tolerates16LinesOfNoiseAfterTheHandshake() {
        assertThat(feed("banner\n".repeat(64))).isNull();
        decoder.handshakeDone();
        assertThat(feed("print\n".repeat(16) + result(1) + "\n")).isNull();
        decoder.handshakeDone();

        var problem = refused("print\n" + result(2) + "\n");

        assertThat(problem.message()).contains("17 lines", "after the handshake (16 are tolerated");
        assertThat(received).hasSize(1);
        assertThat(decoder.noise().lines()).isEqualTo(81);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @Tag("F3")
    @Tag("F4")
    void settlesTheSameOnRandomBytesHoweverTheyAreSplit(long seed) {
        var random = new Random(seed);
        byte[] alphabet = "\n\n\r{}[]\":,\\ujsonrpc2.0idresultmethod1\uFEFFé".getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 500; round++) {
            byte[] stream = new byte[random.nextInt(400)];
            for (int i = 0; i < stream.length; i++) {
                stream[i] = alphabet[random.nextInt(alphabet.length)];
            }
            int size = 1 + random.nextInt(50);

            assertThat(decode(stream, size, size)).isEqualTo(decode(stream, stream.length, 0));
        }
    }

    private record Decoding(
            List<Message> messages,
            FrameDecoder.Noise noise,
            @Nullable Problem verdict) {}

    /// Feeds the first `first` bytes, then the rest in pieces of `then` bytes.
    private static Decoding decode(byte[] stream, int first, int then) {
        var messages = new ArrayList<Message>();
        var decoder = new FrameDecoder("The server", LIMIT, messages::add);
        Problem verdict = null;
        int from = 0;
        int size = first;
        while (from < stream.length) {
            byte[] chunk = Arrays.copyOfRange(stream, from, Math.min(stream.length, from + size));
            verdict = decoder.feed(chunk, 0, chunk.length);
            Arrays.fill(chunk, (byte) '!');
            from += chunk.length;
            size = then;
        }
        return new Decoding(messages, decoder.noise(), verdict);
    }

    private @Nullable Problem feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return decoder.feed(bytes, 0, bytes.length);
    }

    private Problem refused(String text) {
        var problem = feed(text);
        assertThat(problem).isNotNull();
        return Objects.requireNonNull(problem);
    }

    private static String result(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }

    private static String text(int id, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"text\":\"" + text + "\"}}";
    }

    private static String resultOfSize(int bytes) {
        return text(1, "x".repeat(bytes - text(1, "").length()));
    }
}
