package dev.postern.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Written;
import dev.postern.wire.Message;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeTest {
    private static void obedient(FakeConnection connection, Message message) {
        if (message instanceof Message.Request) {
            connection.answers(message, "{\"ok\":true}");
        }
    }

    @Test
    void handsOnTheResultAsItCame() {
        var exchange = Exchange.over(FakeConnection.with(ExchangeTest::obedient));

        assertThat(call(exchange, longDeadline(), new Cancellation()))
                .isEqualTo(new Reply.Result(FakeConnection.json("{\"ok\":true}")));
    }

    @Test
    void handsOnAnErrorOfThePeer() {
        var exchange = Exchange.over(FakeConnection.with(
                (connection, message) -> connection.answers(message, -32602, "no", IntNode.valueOf(1))));

        assertThat(call(exchange, longDeadline(), new Cancellation()))
                .isEqualTo(new Reply.Failure(-32602, "no", IntNode.valueOf(1)));
    }

    @Test
    @Tag("WIR-4")
    @Tag("F5")
    void acceptsAnIdReturnedAsString() {
        var exchange = Exchange.over(FakeConnection.with((connection, message) -> connection.says(new Message.Result(
                TextNode.valueOf(((Message.Request) message).id().asText()), JsonNodeFactory.instance.objectNode()))));

        assertThat(call(exchange, longDeadline(), new Cancellation())).isInstanceOf(Reply.Result.class);
    }

    @Test
    @Tag("WIR-2")
    @Tag("WIR-4")
    void saysThatLinesCameWhichAnsweredNothing() {
        var connection = FakeConnection.with((self, message) -> {
            if (message instanceof Message.Request) {
                self.noise(2);
                self.says(new Message.Result(
                        JsonNodeFactory.instance.numberNode(999), JsonNodeFactory.instance.objectNode()));
            }
        });

        var reply = call(Exchange.over(connection), shortDeadline(), new Cancellation());

        assertThat(reply).isInstanceOfSatisfying(Reply.TimedOut.class, late -> {
            assertThat(late.strays()).isEqualTo(3);
            assertThat(late.describe("it")).contains("3 lines that are no valid answer");
        });
    }

    @Test
    @Tag("WIR-6")
    @Tag("WIR-7")
    void tellsThePeerOnceAndReturnsWhenTheDeadlineFires() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        var deadline = shortDeadline();

        var reply = call(exchange, deadline, new Cancellation());

        assertThat(reply).isEqualTo(new Reply.TimedOut(deadline, 0));
        assertThat(connection.sent()).hasSize(2);
        assertThat(connection.sent().getLast())
                .isEqualTo(new Message.Notification(
                        "notifications/cancelled",
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("reason", "The caller stopped waiting.")
                                .set("requestId", connection.request(0).id())));
        assertThat(exchange.waiting()).isZero();
    }

    @Test
    @Tag("WIR-7")
    @Tag("CAL-5")
    void cancellingOneCallTellsThePeerOnceAndLeavesTheOthersAlone() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        var cancellation = new Cancellation();
        var cancelled = inBackground(() -> call(exchange, longDeadline(), cancellation));
        await().until(() -> exchange.waiting() == 1);
        var other = inBackground(() -> call(exchange, longDeadline(), new Cancellation()));
        await().until(() -> exchange.waiting() == 2);

        cancellation.request();

        assertThat(cancelled.join()).isEqualTo(new Reply.Cancelled());
        assertThat(other).isNotDone();
        assertThat(connection.ended()).isNull();
        connection.answers(connection.request(1), "{}");
        assertThat(other.join()).isInstanceOf(Reply.Result.class);
        assertThat(connection.methods()).containsExactly("tools/call", "tools/call", "notifications/cancelled");
    }

    @Test
    @Tag("F5")
    @Tag("WIR-4")
    void lateAnswerCompletesNoOtherCall() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        call(exchange, shortDeadline(), new Cancellation());
        var next = inBackground(() -> call(exchange, longDeadline(), new Cancellation()));
        await().until(() -> exchange.waiting() == 1);

        connection.answers(connection.request(0), "{\"late\":true}");

        assertThat(next).isNotDone();
        assertThat(exchange.counters().unmatched()).isEqualTo(1);
        connection.answers(connection.request(2), "{}");
        assertThat(next.join()).isEqualTo(new Reply.Result(FakeConnection.json("{}")));
    }

    @Test
    @Tag("CAL-2")
    void isNotSentWhenNoByteWentOut() {
        var connection = FakeConnection.silent();
        connection.writes(_ -> CompletableFuture.completedFuture(Written.NOT_AT_ALL));
        var exchange = Exchange.over(connection);

        var reply = call(exchange, longDeadline(), new Cancellation());

        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.NotSent.class,
                        notSent -> assertThat(notSent.reason().code()).isEqualTo(ErrorCode.SEND_FAILED));
        assertThat(connection.methods()).containsExactly("tools/call");
        assertThat(exchange.waiting()).isZero();
    }

    @Test
    @Tag("CAL-2")
    void namesTheEndOfTheConnectionAsTheReasonOfAFailedWrite() {
        var connection = FakeConnection.silent();
        var written = new CompletableFuture<Written>();
        connection.writes(_ -> written);
        var exchange = Exchange.over(connection);
        var reply = inBackground(() -> call(exchange, longDeadline(), new Cancellation()));
        await().until(() -> exchange.waiting() == 1);

        written.complete(Written.NOT_AT_ALL);
        connection.ends();

        assertThat(reply.join()).isEqualTo(new Reply.NotSent(FakeConnection.EXITED));
    }

    @Test
    @Tag("CAL-2")
    void mayHaveBeenSentWhenOnlyPartOfItWentOut() {
        var connection = FakeConnection.silent();
        connection.writes(_ -> CompletableFuture.completedFuture(Written.PARTLY));
        var exchange = Exchange.over(connection);

        var reply = call(exchange, longDeadline(), new Cancellation());

        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Ended.class,
                        ended -> assertThat(ended.reason().message()).contains("only in part"));
        assertThat(connection.methods()).containsExactly("tools/call");
        assertThat(connection.ended()).isNotNull();
    }

    @Test
    @Tag("WIR-6")
    @Tag("WIR-7")
    void deadlineFiresThoughThePeerDoesNotReadItsInput() {
        var connection = FakeConnection.silent();
        connection.writes(_ -> new CompletableFuture<>());
        var exchange = Exchange.over(connection);

        assertThat(call(exchange, shortDeadline(), new Cancellation())).isInstanceOf(Reply.TimedOut.class);

        assertThat(exchange.waiting()).isZero();
    }

    @Test
    @Tag("WIR-7")
    void cancelSettlesThoughThePeerDoesNotReadItsInput() {
        var connection = FakeConnection.silent();
        connection.writes(_ -> new CompletableFuture<>());
        var exchange = Exchange.over(connection);
        var cancellation = new Cancellation();
        var reply = inBackground(() -> call(exchange, longDeadline(), cancellation));
        await().until(() -> exchange.waiting() == 1);

        cancellation.request();

        assertThat(reply.join()).isEqualTo(new Reply.Cancelled());
    }

    @Test
    @Tag("WIR-7")
    void endOfTheConnectionSettlesEveryCall() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        var calls = List.of(
                inBackground(() -> call(exchange, longDeadline(), new Cancellation())),
                inBackground(() -> call(exchange, longDeadline(), new Cancellation())),
                inBackground(() -> call(exchange, longDeadline(), new Cancellation())));
        await().until(() -> exchange.waiting() == 3);

        connection.ends();

        assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(new Reply.Ended(FakeConnection.EXITED)));
    }

    @Test
    @Tag("CAL-2")
    void isNotSentWhenTheConnectionEndedBeforeTheWriteBegan() {
        var connection = FakeConnection.silent();
        var written = new CompletableFuture<Written>();
        connection.writes(_ -> written);
        var exchange = Exchange.over(connection);
        var reply = inBackground(() -> call(exchange, longDeadline(), new Cancellation()));
        await().until(() -> exchange.waiting() == 1);

        connection.ends();
        written.complete(Written.NOT_AT_ALL);

        assertThat(reply.join()).isEqualTo(new Reply.NotSent(FakeConnection.EXITED));
    }

    @Test
    @Tag("CAL-2")
    void sendsNothingAfterTheEnd() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        connection.ends();

        assertThat(call(exchange, longDeadline(), new Cancellation()))
                .isEqualTo(new Reply.NotSent(FakeConnection.EXITED));

        assertThat(connection.sent()).isEmpty();
    }

    @Test
    void sendsNothingWhenItIsCancelledAlready() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        var cancellation = new Cancellation();
        cancellation.request();

        assertThat(call(exchange, longDeadline(), cancellation))
                .isInstanceOfSatisfying(
                        Reply.NotSent.class,
                        notSent -> assertThat(notSent.reason().code()).isEqualTo(ErrorCode.CANCELLED));

        assertThat(connection.sent()).isEmpty();
    }

    @Test
    @Tag("WIR-6")
    void sendsNothingWhenTheDeadlineHasPassedAlready() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);

        var reply = call(exchange, Deadline.after(Duration.ZERO, Timeout.CALL), new Cancellation());

        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.NotSent.class,
                        notSent -> assertThat(notSent.reason().message()).contains("timeouts.call"));
        assertThat(connection.sent()).isEmpty();
    }

    @Test
    @Tag("WIR-7")
    void interruptedCallerStillSettlesAndStaysInterrupted() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        var interrupted = new CompletableFuture<Boolean>();
        var thread = Threads.virtual("interrupted-caller", () -> {
            call(exchange, Deadline.after(Duration.ofMillis(200), Timeout.CALL), new Cancellation());
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        await().until(() -> exchange.waiting() == 1);

        thread.interrupt();

        assertThat(interrupted.join()).isTrue();
        assertThat(exchange.waiting()).isZero();
    }

    @Test
    @Tag("WIR-8")
    @Tag("F6")
    void floodOfNotificationsCostsNothingAndChangesNothing() {
        var connection = FakeConnection.with((peer, message) -> {
            for (int i = 0; i < 100_000; i++) {
                peer.says(new Message.Notification("notifications/tools/list_changed", null));
            }
            peer.answers(message, "{}");
        });
        var exchange = Exchange.over(connection);

        assertThat(call(exchange, longDeadline(), new Cancellation())).isInstanceOf(Reply.Result.class);

        assertThat(exchange.counters()).isEqualTo(new McpSession.Counters(0, 100_000, 0));
        assertThat(connection.sent()).hasSize(1);
    }

    @Test
    @Tag("WIR-5")
    void answersPingOfTheHandshakeEra() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);

        connection.says(new Message.Request(TextNode.valueOf("p-1"), "ping", null));

        assertThat(connection.sent())
                .containsExactly(new Message.Result(TextNode.valueOf("p-1"), JsonNodeFactory.instance.objectNode()));
        assertThat(exchange.counters().refusedRequests()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"roots/list", "sampling/createMessage", "elicitation/create", "tasks/list", "PING", ""})
    @Tag("WIR-5")
    void refusesEveryOtherRequestOfTheHandshakeEra(String method) {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        exchange.speak(Era.HANDSHAKE);

        connection.says(new Message.Request(LongNode.valueOf(7), method, null));

        assertThat(connection.sent())
                .containsExactly(new Message.Failure(LongNode.valueOf(7), -32601, "Method not found", null));
        assertThat(exchange.counters().refusedRequests()).isEqualTo(1);
    }

    @Test
    @Tag("WIR-5")
    @Tag("F6")
    @Tag("LIM-3")
    void answersNoMoreThan32RequestsOfAServerThatDoesNotRead() {
        var connection = FakeConnection.silent();
        var written = new CompletableFuture<Written>();
        connection.writes(_ -> written);
        var exchange = Exchange.over(connection);

        for (int i = 0; i < 10_000; i++) {
            connection.says(request(i));
        }
        assertThat(connection.sent()).hasSize(32);

        written.complete(Written.WHOLE);
        connection.says(request(10_000));
        assertThat(connection.sent()).hasSize(33);
        assertThat(exchange.counters().refusedRequests()).isEqualTo(10_001);
    }

    @Test
    @Tag("WIR-5")
    @Tag("LIM-3")
    void repeatsNoHugeId() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);

        connection.says(new Message.Request(TextNode.valueOf("x".repeat(257)), "ping", null));
        connection.says(new Message.Request(TextNode.valueOf("x".repeat(256)), "ping", null));

        assertThat(connection.sent()).hasSize(1);
        assertThat(exchange.counters().refusedRequests()).isZero();
    }

    @Test
    @Tag("WIR-5")
    @Tag("F6")
    void neverAnswersRequestsInTheStatelessEraAndClosesAtThe17th() {
        var connection = FakeConnection.silent();
        var exchange = Exchange.over(connection);
        exchange.speak(Era.STATELESS);

        for (int i = 0; i < 16; i++) {
            connection.says(request(i));
        }
        assertThat(connection.ended()).isNull();
        connection.says(request(16));

        assertThat(connection.sent()).isEmpty();
        var reason = Objects.requireNonNull(connection.ended());
        assertThat(reason.code()).isEqualTo(ErrorCode.WIRE_PROTOCOL);
        assertThat(reason.message()).contains("17 requests", "2026-07-28");
        assertThat(exchange.counters().refusedRequests()).isEqualTo(17);
    }

    private static Message.Request request(int id) {
        return new Message.Request(IntNode.valueOf(id), "roots/list", null);
    }

    private static Reply call(Exchange exchange, Deadline deadline, Cancellation cancellation) {
        return exchange.request("tools/call", JsonNodeFactory.instance.objectNode(), deadline, cancellation);
    }

    private static Deadline longDeadline() {
        return Deadline.after(Duration.ofSeconds(60), Timeout.CALL);
    }

    private static Deadline shortDeadline() {
        return Deadline.after(Duration.ofMillis(30), Timeout.CALL);
    }

    private static CompletableFuture<Reply> inBackground(Supplier<Reply> call) {
        var reply = new CompletableFuture<Reply>();
        Threads.virtual("caller", () -> reply.complete(call.get()));
        return reply;
    }
}
