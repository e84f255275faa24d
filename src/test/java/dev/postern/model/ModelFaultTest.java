package dev.postern.model;

import static dev.postern.model.Chats.ask;
import static dev.postern.model.Chats.request;
import static dev.postern.model.Chats.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Cancellation;
import dev.postern.base.Threads;
import dev.postern.config.ModelProvider;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.ModelTurn.Refusal;
import dev.postern.testkit.ScriptedModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What can go wrong with a model, each told apart, once, with nothing left behind.
@Tag("MDL-2")
@Timeout(120)
class ModelFaultTest {
    @RegisterExtension
    final LeavesNothingBehind nothing = new LeavesNothingBehind();

    private static ModelReply.Failed failure(ModelProvider provider, ModelTurn turn) {
        try (var model = ScriptedModel.doing(turn)) {
            var failed = ask(provider, model, request("x", tool("read"))).failed();
            assertThat(model.asked()).as("nothing is sent twice").hasSize(1);
            assertThat(failed.problem().code()).isEqualTo(failed.fault().code());
            assertThat(failed.problem().message()).startsWith("The model \"m-1\" at http://127.0.0.1:");
            assertThat(failed.problem().next()).endsWith(".");
            await().until(() -> model.busy() == 0);
            return failed;
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsAKeyThatIsRefused(ModelProvider provider) {
        var failed = failure(provider, ModelTurn.refusal(Refusal.Why.KEY));

        assertThat(failed.fault()).isEqualTo(ModelFault.AUTHENTICATION);
        assertThat(failed.problem().next()).contains("model.apiKey");
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsARateLimitAndHowLongToWait(ModelProvider provider) {
        var failed = failure(provider, ModelTurn.refusal(Refusal.Why.RATE));

        assertThat(failed.fault()).isEqualTo(ModelFault.RATE_LIMIT);
        assertThat(failed.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @CsvSource({
        "retry-after,12,12000",
        "retry-after-ms,1500,1500",
        "retry-after,99999999,86400000",
        "retry-after,soon,",
        "retry-after,-3,",
        "x,1,"
    })
    void understandsTheWaysToSayHowLong(String header, String value, Long millis) {
        var failed = failure(ModelProvider.OPENAI, new ModelTurn.Raw(429, Map.of(header, value), "{}"));

        assertThat(failed.retryAfter()).isEqualTo(millis == null ? null : Duration.ofMillis(millis));
    }

    @Test
    void countsADateFromTheProvidersOwnClock() {
        var failed = failure(
                ModelProvider.OPENAI,
                new ModelTurn.Raw(
                        503,
                        Map.of(
                                "retry-after", "Tue, 01 Jan 2030 00:00:30 GMT",
                                "date", "Tue, 01 Jan 2030 00:00:00 GMT"),
                        ""));

        assertThat(failed.fault()).isEqualTo(ModelFault.UNAVAILABLE);
        assertThat(failed.retryAfter())
                .satisfiesAnyOf(
                        wait -> assertThat(wait).isEqualTo(Duration.ofSeconds(30)),
                        // The test's server puts its own date in place of the scripted one.
                        wait -> assertThat(wait).isEqualTo(Duration.ofDays(1)));
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsAConversationThatIsTooLong(ModelProvider provider) {
        var failed = failure(provider, ModelTurn.refusal(Refusal.Why.OVERFLOW));

        assertThat(failed.fault()).isEqualTo(ModelFault.CONTEXT_OVERFLOW);
        assertThat(failed.problem().next()).contains("model.contextTokens");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"object\":\"error\",\"message\":\"This model's maximum context length is 4096 tokens.\",\"code\":400}",
                "{\"error\":{\"code\":400,\"message\":\"too big\",\"type\":\"exceed_context_size_error\"}}",
                "{\"error\":\"Trying to keep the first 9 tokens when context the overflows.\"}"
            })
    void knowsItInTheWordsOfLocalServersToo(String body) {
        assertThat(failure(ModelProvider.OPENAI, new ModelTurn.Raw(400, Map.of(), body))
                        .fault())
                .isEqualTo(ModelFault.CONTEXT_OVERFLOW);
    }

    @ParameterizedTest
    @CsvSource({
        "402,RATE_LIMIT", "403,AUTHENTICATION", "404,INVALID", "408,UNAVAILABLE", "413,CONTEXT_OVERFLOW",
        "422,INVALID", "502,UNAVAILABLE", "529,UNAVAILABLE", "302,INVALID", "204,UNAVAILABLE"
    })
    void tellsEveryStatusApart(int status, ModelFault fault) {
        for (var provider : ModelProvider.values()) {
            assertThat(failure(provider, new ModelTurn.Raw(status, Map.of("location", "http://elsewhere/"), ""))
                            .fault())
                    .isEqualTo(fault);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsAFaultOfTheProviders(ModelProvider provider) {
        assertThat(failure(provider, ModelTurn.refusal(Refusal.Why.FAULT)).fault())
                .isEqualTo(ModelFault.UNAVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void returnsNoCallOfHalfAStream(ModelProvider provider) {
        for (var end : new End[] {End.BROKEN, End.UNFINISHED, End.ERROR}) {
            var failed = failure(
                    provider,
                    ModelTurn.text("Half")
                            .calling("a", "read", "{\"input\":\"{}\"}")
                            .ending(end));

            assertThat(failed.fault()).as(end.name()).isEqualTo(ModelFault.UNAVAILABLE);
            assertThat(failed.partialText()).isEqualTo("Half");
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void saysThatTheProviderWithheldTheAnswer(ModelProvider provider) {
        var failed = failure(provider, ModelTurn.text("I").ending(End.WITHHELD));

        assertThat(failed.fault()).isEqualTo(ModelFault.INVALID);
        assertThat(failed.problem().message()).contains("for the reason it calls");
    }

    @Test
    void knowsACallThatGeminiCouldNotWrite() {
        assertThat(failure(ModelProvider.GEMINI, ModelTurn.call("a", "read", "{\"input\": tru"))
                        .problem()
                        .message())
                .contains("MALFORMED_FUNCTION_CALL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>a page</html>",
                "data: {\"choices\": 1}\n\n",
                "data: {]\n\n",
                "data: null\n\n",
                "data: [1]\n\n",
                "event: message_start\ndata: {\"message\": 3}\n\n"
            })
    void knowsAnAnswerThatIsNone(String body) {
        for (var provider : ModelProvider.values()) {
            var failed = failure(provider, new ModelTurn.Raw(200, Map.of(), body));
            assertThat(failed.fault()).as(provider.name()).isIn(ModelFault.INVALID, ModelFault.UNAVAILABLE);
        }
        assertThat(failure(ModelProvider.OPENAI, new ModelTurn.Raw(200, Map.of(), "<html>a page</html>"))
                        .problem()
                        .message())
                .contains("something else than a stream of events: <html>a page</html>");
    }

    @Test
    void knowsAnAnswerThatWasNotStreamed() {
        String whole = "{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"content\":\"hi\"}}]}";

        assertThat(failure(ModelProvider.OPENAI, new ModelTurn.Raw(200, Map.of(), whole))
                        .problem()
                        .message())
                .contains("something else than a stream of events: {");
    }

    @Test
    void knowsAnErrorInPlaceOfAStream() {
        for (var body : new String[] {
            "{\"error\":{\"message\":\"no\",\"code\":\"invalid_api_key\"}}",
            "[{\"error\":{\"message\":\"no\",\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}]",
            "{\"object\":\"error\",\"message\":\"no: invalid_api_key\"}"
        }) {
            assertThat(failure(ModelProvider.OPENAI, new ModelTurn.Raw(200, Map.of(), body))
                            .fault())
                    .isEqualTo(ModelFault.AUTHENTICATION);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    @Tag("LIM-3")
    void givesUpAnAnswerWithoutEnd(ModelProvider provider) {
        var failed = failure(provider, ModelTurn.text("x".repeat(10_000)).ending(End.ENDLESS));

        assertThat(failed.fault()).isEqualTo(ModelFault.INVALID);
        assertThat(failed.problem().message()).contains("1 MiB of text and arguments, which was given up");
        assertThat(failed.partialText().length()).isLessThan(Gathering.LARGEST + 10_001);
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    @Tag("LIM-3")
    void givesUpAnAnswerOfEndlessCalls(ModelProvider provider) {
        var failed = failure(
                provider,
                ModelTurn.call("a", "read", "{\"input\":\"" + "y".repeat(20_000) + "\"}")
                        .ending(End.ENDLESS));

        assertThat(failed.fault()).isIn(ModelFault.INVALID);
    }

    @Test
    @Tag("LIM-3")
    void givesUpWhatIsNoTextAtAll() {
        for (var body : new String[] {
            "data: {\"choices\":[]}\n\n".repeat(OneRequest.MOST_EVENTS + 1),
            "data: " + "x".repeat(EventParser.LARGEST_EVENT + 1),
            ":" + "x".repeat(1_000) + "\n".repeat(1) + (":" + "x".repeat(1_000) + "\n").repeat(9_000)
        }) {
            assertThat(failure(ModelProvider.OPENAI, new ModelTurn.Raw(200, Map.of(), body))
                            .problem()
                            .message())
                    .contains("which was given up");
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsAPortWhereNobodyListens(ModelProvider provider) throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var chat = ChatModels.open(Chats.settings(provider, URI.create("http://127.0.0.1:" + port)), null)) {
            var failed = ask(chat, request("x")).failed();

            assertThat(failed.fault()).isEqualTo(ModelFault.UNAVAILABLE);
            assertThat(failed.problem().message()).contains("refused the connection");
        }
    }

    @Test
    void knowsAHostThatDoesNotExist() {
        try (var chat = ChatModels.open(
                Chats.settings(ModelProvider.OPENAI, URI.create("http://no-such-host.invalid/v1")), null)) {
            assertThat(ask(chat, request("x")).failed().problem().message()).contains("host name that is not known");
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void waitsNoLongerThanItsDeadline(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("And").ending(End.SILENT));
                var chat = Chats.open(provider, model)) {
            var reply = chat.ask(request("x"), piece -> {}, Chats.in(Duration.ofMillis(700)), new Cancellation());

            var failed = (ModelReply.Failed) reply;
            assertThat(failed.fault()).isEqualTo(ModelFault.DEADLINE);
            assertThat(failed.partialText()).isEqualTo("And");
            assertThat(failed.problem().message()).contains("within the model deadline of 700ms (model.timeout)");
            assertThat(failed.problem().next()).contains("raise model.timeout");
            await().until(() -> model.busy() == 0);
        }
    }

    @Test
    void waitsNoLongerForAServerThatTakesTheRequestAndSaysNothing() throws IOException {
        try (var deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var chat = ChatModels.open(
                        Chats.settings(ModelProvider.OPENAI, URI.create("http://127.0.0.1:" + deaf.getLocalPort())),
                        null)) {
            var reply = chat.ask(request("x"), piece -> {}, Chats.in(Duration.ofMillis(300)), new Cancellation());

            assertThat(((ModelReply.Failed) reply).fault()).isEqualTo(ModelFault.DEADLINE);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void endsInTheMiddleWhenItIsCancelled(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("And").ending(End.SILENT));
                var chat = Chats.open(provider, model)) {
            var cancellation = new Cancellation();

            var reply = chat.ask(
                    request("x"),
                    piece -> Threads.virtual("test-cancel", cancellation::request),
                    Chats.in(Chats.LONG),
                    cancellation);

            assertThat(reply).isEqualTo(new ModelReply.Cancelled("And"));
            await().until(() -> model.busy() == 0);
        }
    }

    @Test
    void asksNothingThatIsCancelledAlready() {
        try (var model = ScriptedModel.doing(ModelTurn.text("And").ending(End.SILENT));
                var chat = Chats.open(ModelProvider.OPENAI, model)) {
            var cancellation = new Cancellation();
            cancellation.request();

            assertThat(chat.ask(request("x"), piece -> {}, Chats.in(Chats.LONG), cancellation))
                    .isEqualTo(new ModelReply.Cancelled(""));
            assertThat(model.asked()).isEmpty();
        }
    }

    @Test
    void endsEveryQuestionWhenItIsClosed() throws Exception {
        try (var model = ScriptedModel.doing(ModelTurn.text("And").ending(End.SILENT))) {
            var chat = Chats.open(ModelProvider.OPENAI, model);
            var reply = new CompletableFuture<ModelReply>();
            Threads.virtual(
                    "test-asker",
                    () -> reply.complete(
                            chat.ask(request("x"), piece -> {}, Chats.in(Chats.LONG), new Cancellation())));
            await().until(() -> model.busy() == 1);

            chat.close();

            assertThat(reply.get(30, TimeUnit.SECONDS)).isInstanceOf(ModelReply.Cancelled.class);
            await().until(() -> model.busy() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    @Tag("SEC-5")
    void neverRepeatsTheKeyAndMakesTheRestVisible(ModelProvider provider) {
        String echo = "No: " + Chats.KEY.reveal() + "\u001b[31m " + "z".repeat(2_000);

        var message =
                failure(provider, new Refusal(Refusal.Why.KEY, echo)).problem().message();

        assertThat(message)
                .contains("No: [redacted:MODEL_KEY]\\u{1B}[31m zzz")
                .doesNotContain("0123456789abcdef")
                .hasSizeLessThanOrEqualTo(502);
    }

    @Test
    @Tag("SEC-5")
    void sendsNoKeyThatAHeaderCannotHoldAndDoesNotRepeatIt() {
        var key = new dev.postern.secret.SecretValue("MODEL_KEY", "sk-one\nx-evil: two");
        try (var model = ScriptedModel.doing(ModelTurn.text("ok"));
                var chat = ChatModels.open(Chats.settings(ModelProvider.OPENAI, model.baseUrl()), key)) {
            var failed = ask(chat, request("x")).failed();

            assertThat(failed.fault()).isEqualTo(ModelFault.AUTHENTICATION);
            assertThat(failed.problem().message()).doesNotContain("sk-one", "evil");
            assertThat(model.asked()).isEmpty();
        }
    }
}
