package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.wire.Correlator.Abandoned;
import dev.postern.wire.Correlator.Answered;
import dev.postern.wire.Correlator.Ended;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("WIR-4")
class CorrelatorTest {
    private static final Problem GONE = new Problem(ErrorCode.WIRE_CLOSED, "It went away.", "Start it again.");

    private final Correlator correlator = new Correlator();

    @Test
    void givesEveryRequestAnIntegerOfItsOwn() {
        var ids = new HashSet<JsonNode>();
        for (int i = 0; i < 1_000; i++) {
            ids.add(correlator.register().id());
        }

        assertThat(ids).hasSize(1_000).allMatch(JsonNode::isIntegralNumber);
    }

    @Test
    void bringsEachResponseToItsRequest() {
        var first = correlator.register();
        var second = correlator.register();

        correlator.respond(response(second.id()));

        assertThat(second.settled().join()).isEqualTo(new Answered(response(second.id())));
        assertThat(first.settled()).isNotDone();
        assertThat(correlator.waiting()).isEqualTo(1);
    }

    @Test
    @Tag("F5")
    void acceptsTheDecimalDigitsOfAnIdAsString() {
        var pending = tenth();

        correlator.respond(response(TextNode.valueOf("10")));

        assertThat(pending.settled()).isCompleted();
    }

    static Stream<JsonNode> idsThatAreNotTen() {
        return Stream.of(
                IntNode.valueOf(11),
                IntNode.valueOf(0),
                IntNode.valueOf(-10),
                LongNode.valueOf(10L + (1L << 32)),
                BigIntegerNode.valueOf(BigInteger.TWO.pow(64).add(BigInteger.TEN)),
                DecimalNode.valueOf(new BigDecimal("10.0")),
                DecimalNode.valueOf(new BigDecimal("1E+1")),
                NullNode.getInstance(),
                TextNode.valueOf(""),
                TextNode.valueOf("010"),
                TextNode.valueOf("+10"),
                TextNode.valueOf("-10"),
                TextNode.valueOf(" 10"),
                TextNode.valueOf("10 "),
                TextNode.valueOf("10.0"),
                TextNode.valueOf("1e1"),
                TextNode.valueOf("0xa"),
                TextNode.valueOf("\u0661\u0660"),
                TextNode.valueOf("18446744073709551626"),
                TextNode.valueOf("9".repeat(100_000)));
    }

    @ParameterizedTest
    @MethodSource("idsThatAreNotTen")
    @Tag("F5")
    void completesNothingForAnyOtherId(JsonNode id) {
        correlator.register().abandon();
        for (int i = 0; i < 8; i++) {
            correlator.register().abandon();
        }
        var pending = correlator.register();

        correlator.respond(response(id));

        assertThat(pending.settled()).isNotDone();
        assertThat(correlator.unmatched()).isEqualTo(1);
    }

    @Test
    @Tag("F5")
    void countsARepeatedAnswer() {
        var pending = correlator.register();
        var other = correlator.register();

        correlator.respond(response(pending.id()));
        correlator.respond(response(pending.id()));

        assertThat(correlator.unmatched()).isEqualTo(1);
        assertThat(other.settled()).isNotDone();
    }

    @Test
    @Tag("F5")
    @Tag("WIR-7")
    void countsAnAnswerThatComesAfterTheRequestWasAbandoned() {
        var pending = correlator.register();

        assertThat(pending.abandon()).isTrue();
        correlator.respond(response(pending.id()));

        assertThat(pending.settled().join()).isEqualTo(new Abandoned());
        assertThat(correlator.unmatched()).isEqualTo(1);
    }

    @Test
    void letsTheAnswerStandWhenItIsAbandonedTooLate() {
        var pending = correlator.register();
        correlator.respond(response(pending.id()));

        assertThat(pending.abandon()).isFalse();

        assertThat(pending.settled().join()).isInstanceOf(Answered.class);
    }

    @Test
    @Tag("WIR-7")
    void settlesEverythingAtTheEnd() {
        var before = correlator.register();

        correlator.end(GONE);
        correlator.end(new Problem(ErrorCode.INTERNAL, "A second reason.", "None."));
        var after = correlator.register();

        assertThat(before.settled().join()).isEqualTo(new Ended(GONE));
        assertThat(after.settled().join()).isEqualTo(new Ended(GONE));
        assertThat(correlator.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    @Tag("WIR-7")
    void leavesNothingPendingWhenRequestsRaceTheEnd(int round) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        var pending = Collections.synchronizedList(new ArrayList<Correlator.Pending>());
        for (int t = 0; t < 8; t++) {
            int kind = t % 2;
            threads.add(Threads.virtual("requests-" + round + "-" + t, () -> {
                for (int i = 0; i < 500; i++) {
                    var request = correlator.register();
                    pending.add(request);
                    if (i % 3 == 0) {
                        correlator.respond(response(request.id()));
                    } else if (i % 3 == kind) {
                        request.abandon();
                    }
                }
            }));
        }
        correlator.end(GONE);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(pending).hasSize(4_000).allMatch(request -> request.settled().isDone());
        assertThat(correlator.waiting()).isZero();
    }

    private Correlator.Pending tenth() {
        for (int i = 0; i < 9; i++) {
            correlator.register();
        }
        return correlator.register();
    }

    private static Message.Response response(JsonNode id) {
        return new Message.Result(id, JsonNodeFactory.instance.objectNode());
    }
}
