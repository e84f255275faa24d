package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.base.ErrorCode;
import dev.postern.testkit.Cost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// What a server may write to its standard output, whole and in pieces.
@Tag("F9")
@Tag("WIR-2")
class FrameFuzzTest {
    /// Small, so that inputs of a few kilobytes reach it.
    private static final int FRAME_LIMIT = 2_048;

    private record Seen(
            List<Message> messages,
            FrameDecoder.Noise noise,
            @Nullable ErrorCode verdict) {}

    @FuzzTest
    @Timeout(60)
    void saysTheSameOfBytesHoweverTheyAreCut(byte[] data) {
        long most = 16_384 + 64L * data.length;
        Seen whole = Cost.within(most, () -> feed(data, data.length + 1));
        Seen bytewise = Cost.within(most + 64L * FRAME_LIMIT, () -> feed(data, 1));
        Seen pieces = Cost.within(most + 64L * FRAME_LIMIT, () -> feed(data, 40));

        assertThat(bytewise.messages()).isEqualTo(whole.messages());
        assertThat(pieces.messages()).isEqualTo(whole.messages());
        assertThat(bytewise.noise()).isEqualTo(whole.noise());
        assertThat(pieces.noise()).isEqualTo(whole.noise());
        assertThat(bytewise.verdict()).isEqualTo(whole.verdict());
        assertThat(pieces.verdict()).isEqualTo(whole.verdict());
        for (Message message : whole.messages()) {
            assertComesBack(message);
        }
        assertReadsWhatItWrites(data);
    }

    /// @param piece pieces have up to that many bytes
    private static Seen feed(byte[] data, int piece) {
        var messages = new ArrayList<Message>();
        var decoder = new FrameDecoder("The server", FRAME_LIMIT, messages::add);
        var random = new Random(Arrays.hashCode(data));
        int at = 0;
        ErrorCode verdict = null;
        while (at < data.length) {
            int count =
                    piece == 1 ? 1 : Math.min(data.length - at, piece > data.length ? piece : random.nextInt(piece));
            var problem = decoder.feed(data, at, count);
            at += count;
            if (decoder.held() > FRAME_LIMIT || (verdict != null && problem == null)) {
                throw new AssertionError("holds " + decoder.held() + " bytes at " + at + "; " + verdict);
            }
            verdict = problem == null ? null : problem.code();
        }
        return new Seen(messages, decoder.noise(), verdict);
    }

    /// `1e0` is written as `1`, which is the same number and another node: so texts are compared, which say all.
    private static void assertComesBack(Message message) {
        byte[] line = MessageCodec.encode(message);
        assertThat(line).endsWith((byte) '\n');
        assertThat(Arrays.copyOf(line, line.length - 1)).doesNotContain((byte) '\n');
        var again = StrictJson.parse(line) instanceof StrictJson.Valid json ? MessageCodec.decode(json.value()) : null;
        assertThat(again).isInstanceOfSatisfying(MessageCodec.Valid.class, valid -> {
            assertThat(valid.message()).hasSameClassAs(message);
            assertThat(MessageCodec.encode(valid.message())).isEqualTo(line);
        });
    }

    private static void assertReadsWhatItWrites(byte[] data) {
        switch (Cost.within(16_384 + 64L * data.length, () -> StrictJson.parse(data))) {
            case StrictJson.Valid json -> {
                byte[] written = StrictJson.bytes(json.value());
                assertThat(JsonSize.of(json.value())).isEqualTo(written.length);
                assertThat(StrictJson.parse(written))
                        .isInstanceOfSatisfying(
                                StrictJson.Valid.class,
                                again -> assertThat(StrictJson.bytes(again.value()))
                                        .isEqualTo(written));
            }
            case StrictJson.Malformed malformed -> {
                assertThat(malformed.line()).isPositive();
                assertThat(malformed.column()).isPositive();
                assertThat(malformed.describe()).matches("[ -~±]{1,120}");
            }
        }
    }
}
