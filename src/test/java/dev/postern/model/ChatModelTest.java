package dev.postern.model;

import static dev.postern.model.Chats.ask;
import static dev.postern.model.Chats.json;
import static dev.postern.model.Chats.request;
import static dev.postern.model.Chats.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Cancellation;
import dev.postern.config.ModelProvider;
import dev.postern.config.RunLimits;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is asked, and what is answered, in each provider's words.
@Tag("MDL-1")
@Timeout(120)
class ChatModelTest {
    private static final String ARGUMENTS = "{\"input\":\"{\\\"path\\\":\\\"/tmp/é\\\"}\"}";

    @RegisterExtension
    final LeavesNothingBehind nothing = new LeavesNothingBehind();

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void streamsTextInPiecesAndInOrder(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("Hel", "lo,\n", "wörld 😀"))) {
            var said = ask(provider, model);

            assertThat(said.pieces()).containsExactly("Hel", "lo,\n", "wörld 😀");
            assertThat(said.answered().text()).isEqualTo("Hello,\nwörld 😀");
            assertThat(said.answered().calls()).isEmpty();
            assertThat(said.answered().cutShort()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void givesTextOnTheThreadThatAsks(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("a", "b"));
                var chat = Chats.open(provider, model)) {
            var threads = new ArrayList<Thread>();

            chat.ask(
                    request("x"),
                    piece -> threads.add(Thread.currentThread()),
                    Chats.in(Chats.LONG),
                    new Cancellation());

            assertThat(threads).hasSize(2).containsOnly(Thread.currentThread());
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void handsArgumentsOnAsTheyWere(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("I look.").calling("call_a", "read", ARGUMENTS))) {
            var said = ask(provider, model, request("read it", tool("read"))).answered();

            assertThat(said.text()).isEqualTo("I look.");
            assertThat(said.calls()).hasSize(1);
            assertThat(said.calls().getFirst())
                    .returns("call_a", ToolCall::id)
                    .returns("read", ToolCall::name)
                    .returns(ARGUMENTS, ToolCall::arguments);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ModelProvider.class, names = "GEMINI", mode = EnumSource.Mode.EXCLUDE)
    void handsMalformedArgumentsAndUnknownToolsOnToo(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.call("a", "no.such tool", "{\"input\": tru"))) {
            var call = ask(provider, model, request("x", tool("read")))
                    .answered()
                    .calls()
                    .getFirst();

            assertThat(call).isEqualTo(new ToolCall("a", "no.such tool", "{\"input\": tru"));
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void keepsTheOrderOfManyCallsAndGivesEachAnId(ModelProvider provider) {
        var turn = ModelTurn.text();
        for (int i = 0; i < 200; i++) {
            turn = turn.calling(i < 100 ? "same" : "id" + i, "t" + i, "{\"input\":\"" + i + "\"}");
        }
        try (var model = ScriptedModel.doing(turn)) {
            var calls =
                    ask(provider, model, request("x", tool("t0"))).answered().calls();

            assertThat(calls)
                    .extracting(ToolCall::name)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 200).mapToObj(i -> "t" + i).toList());
            assertThat(calls).extracting(ToolCall::id).doesNotHaveDuplicates().doesNotContain("");
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void givesUpAnAnswerWithMoreCallsThanAnyRunMayMake(ModelProvider provider) {
        var turn = ModelTurn.text();
        for (int i = 0; i < 2 * RunLimits.MOST_CALLS; i++) {
            turn = turn.calling("id" + i, "read", "{}");
        }
        try (var model = ScriptedModel.doing(turn)) {
            var failed = ask(provider, model, request("x", tool("read"))).failed();

            assertThat(failed.fault()).isEqualTo(ModelFault.INVALID);
            assertThat(failed.problem().message()).contains("over 512 calls of tools");
        }
    }

    @Test
    void replacesHalvesOfCharactersInTextNamesAndIds() {
        String event = "data: {\"choices\":[{\"index\":0,\"delta\":{%s},\"finish_reason\":%s}]}\n\n";
        String call = "{\"index\":0,\"id\":\"i\\ud83d\",\"type\":\"function\","
                + "\"function\":{\"name\":\"n\\ude00\",\"arguments\":\"{}\"}}";
        String body = event.formatted("\"content\":\"half \\ud83d, whole \\ud83d\"", "null")
                + event.formatted("\"content\":\"\\ude00\"", "null")
                + event.formatted("\"tool_calls\":[" + call + "]", "\"tool_calls\"");
        try (var model = ScriptedModel.doing(new ModelTurn.Raw(200, Map.of(), body))) {
            var answered = ask(ModelProvider.OPENAI, model).answered();

            assertThat(answered.text()).isEqualTo("half \uFFFD, whole 😀");
            assertThat(answered.calls()).containsExactly(new ToolCall("i\uFFFD", "n\uFFFD", "{}"));
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void countsTokensAsTheProviderDoes(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("x").costing(1_234, 56))) {
            assertThat(ask(provider, model).answered().usage()).isEqualTo(new Usage(1_234, 56, false));
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void estimatesTokensWhereTheProviderSaysNothing(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("one two three").costing(0, 0))) {
            var usage = ask(provider, model).answered().usage();

            assertThat(usage.estimated()).isTrue();
            assertThat(usage.outputTokens()).isBetween(3L, 20L);
            assertThat(usage.inputTokens()).isBetween(3L, 40L);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    @Tag("MDL-2")
    void returnsNoCallOfAnAnswerThatWasCutShort(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("So far")
                .calling("a", "read", "{\"input\":\"{}\"}")
                .ending(End.CUT_SHORT))) {
            var said = ask(provider, model, request("x", tool("read"))).answered();

            assertThat(said.cutShort()).isTrue();
            assertThat(said.text()).isEqualTo("So far");
            assertThat(said.calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void tellsTheModelEverythingInItsProvidersWords(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("ok"))) {
            ask(provider, model, request("hello", tool("read"), tool("write")));

            var asked = model.asked().getFirst();
            assertThat(asked.headers()).containsEntry("user-agent", "postern/" + dev.postern.base.Version.TEXT);
            var body = asked.body();
            switch (provider) {
                case OPENAI -> {
                    assertThat(asked.headers()).containsEntry("authorization", "Bearer " + Chats.KEY.reveal());
                    assertThat(body.path("model").asText()).isEqualTo("m-1");
                    assertThat(body.path("max_tokens").asInt()).isEqualTo(512);
                    assertThat(body.path("stream").asBoolean()).isTrue();
                    assertThat(body.path("messages"))
                            .isEqualTo(json("[{\"role\":\"system\",\"content\":\"Be brief.\"},"
                                    + "{\"role\":\"user\",\"content\":\"hello\"}]"));
                    assertThat(body.path("tools")).hasSize(2);
                    var function = body.at("/tools/0/function");
                    assertThat(function.path("name").asText()).isEqualTo("read");
                    assertThat(function.path("strict").asBoolean()).isTrue();
                    assertThat(function.path("parameters"))
                            .isEqualTo(tool("read").parameters());
                }
                case ANTHROPIC -> {
                    assertThat(asked.headers()).containsEntry("x-api-key", Chats.KEY.reveal());
                    assertThat(body.path("max_tokens").asInt()).isEqualTo(512);
                    assertThat(body.at("/system/0/text").asText()).isEqualTo("Be brief.");
                    assertThat(body.at("/messages/0/content/0/text").asText()).isEqualTo("hello");
                    assertThat(body.at("/tools/1/strict").asBoolean()).isTrue();
                    assertThat(body.at("/tools/1/input_schema"))
                            .isEqualTo(tool("write").parameters());
                }
                case GEMINI -> {
                    assertThat(asked.path()).isEqualTo("/models/m-1:streamGenerateContent");
                    assertThat(asked.headers()).containsEntry("x-goog-api-key", Chats.KEY.reveal());
                    assertThat(body.at("/generationConfig/maxOutputTokens").asInt())
                            .isEqualTo(512);
                    assertThat(body.at("/systemInstruction/parts/0/text").asText())
                            .isEqualTo("Be brief.");
                    assertThat(body.at("/contents/0/parts/0/text").asText()).isEqualTo("hello");
                    var parameters = body.at("/tools/0/functionDeclarations/0/parameters");
                    assertThat(parameters.at("/properties/input/type").asText()).isEqualTo("STRING");
                    assertThat(parameters.path("required")).isEqualTo(json("[\"input\"]"));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void sendsNoKeyWhereThereIsNone(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("ok"));
                var chat = ChatModels.open(Chats.settings(provider, model.baseUrl()), null)) {
            assertThat(ask(chat, request("x")).answered().text()).isEqualTo("ok");
            assertThat(model.asked().getFirst().headers())
                    .doesNotContainKeys("authorization", "x-api-key", "x-goog-api-key");
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void sendsCallsAndTheirResultsBack(ModelProvider provider) {
        try (var model = ScriptedModel.doing(
                        ModelTurn.text("Two.")
                                .calling("a", "read", ARGUMENTS)
                                .calling("b", "write", "{\"input\":\"{}\"}"),
                        ModelTurn.text("done"));
                var chat = Chats.open(provider, model)) {
            var first = ask(chat, request("x", tool("read"), tool("write"))).answered();
            var messages = List.<Message>of(
                    new Message.User("x"),
                    new Message.Assistant(first.text(), first.calls()),
                    new Message.Results(List.of(
                            new ToolAnswer("a", "read", "milk", false), new ToolAnswer("b", "write", "no", true))));

            var second = ask(chat, new ModelRequest("", messages, List.of(tool("read"), tool("write"))));

            assertThat(second.answered().text()).isEqualTo("done");
            assertThat(model.asked()).hasSize(2);
            checkRoundTrip(provider, model.asked().getLast().body());
        }
    }

    private static void checkRoundTrip(ModelProvider provider, JsonNode body) {
        switch (provider) {
            case OPENAI -> {
                assertThat(body.at("/messages/1/content").asText()).isEqualTo("Two.");
                assertThat(body.at("/messages/1/tool_calls/0/id").asText()).isEqualTo("a");
                assertThat(body.at("/messages/1/tool_calls/0/function/arguments")
                                .asText())
                        .isEqualTo(ARGUMENTS);
                assertThat(body.at("/messages/2"))
                        .isEqualTo(json("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"milk\"}"));
                assertThat(body.at("/messages/3/tool_call_id").asText()).isEqualTo("b");
                assertThat(body.path("messages")).hasSize(4);
            }
            case ANTHROPIC -> {
                assertThat(body.at("/messages/1/content/0/text").asText()).isEqualTo("Two.");
                assertThat(body.at("/messages/1/content/1/input")).isEqualTo(json(ARGUMENTS));
                assertThat(body.at("/messages/1/content/2/name").asText()).isEqualTo("write");
                assertThat(body.at("/messages/2/content/0/tool_use_id").asText())
                        .isEqualTo("a");
                assertThat(body.at("/messages/2/content/1/is_error").asBoolean())
                        .isTrue();
                assertThat(body.path("messages")).hasSize(3);
            }
            case GEMINI -> {
                assertThat(body.at("/contents/1/parts/0/text").asText()).isEqualTo("Two.");
                assertThat(body.at("/contents/1/parts/1/functionCall/args")).isEqualTo(json(ARGUMENTS));
                assertThat(body.at("/contents/1/parts/1/thoughtSignature").asText())
                        .isEqualTo("c2lnbmVk");
                assertThat(body.at("/contents/1/parts/2/functionCall/name").asText())
                        .isEqualTo("write");
                assertThat(body.toString()).contains("\"functionResponse\"").contains("\"response\":\"milk\"");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void sendsBackNothingThatTheProviderWouldRefuse(ModelProvider provider) {
        var wild = new Message.Assistant(
                " ", List.of(new ToolCall("a", "no.such tool", "{\"input\": tru"), new ToolCall("b", "", "")));
        var messages = List.<Message>of(
                new Message.User("x"),
                new Message.Assistant("", List.of()),
                wild,
                new Message.Results(
                        List.of(new ToolAnswer("a", "no.such tool", "", true), new ToolAnswer("b", "", "no", true))));
        try (var model = ScriptedModel.doing(ModelTurn.text("sorry"))) {
            ask(provider, model, new ModelRequest("", messages, List.of()));

            var body = model.asked().getFirst().body().toString();
            assertThat(body)
                    .contains("no_such_tool", "malformed", "tru", "(empty)")
                    .doesNotContain("no.such");
            assertThat(body).doesNotContain("\"parts\":[]", "\"content\":[]");
        }
    }

    @Test
    void readsTheStreamsOfServersThatAreLessExact() {
        String chunk =
                "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"%s\"}],\"error\":null}\n\n";
        String body = chunk.formatted("") + "data:\n\n: still here\n\n" + chunk.formatted("eos");
        try (var model = ScriptedModel.doing(new ModelTurn.Raw(200, Map.of(), body))) {
            assertThat(ask(ModelProvider.OPENAI, model).answered().text()).isEqualTo("hihi");
        }
        String half = chunk.formatted("") + "data:\n\n";
        try (var model = ScriptedModel.doing(new ModelTurn.Raw(200, Map.of(), half))) {
            assertThat(ask(ModelProvider.OPENAI, model).failed().fault()).isEqualTo(ModelFault.UNAVAILABLE);
        }
    }

    @Test
    void asksAnthropicForNoMoreStrictToolsThanItTakes() {
        var tools = IntStream.range(0, 21).mapToObj(i -> tool("t" + i)).toArray(ToolDefinition[]::new);
        try (var model = ScriptedModel.doing(ModelTurn.text("ok"))) {
            ask(ModelProvider.ANTHROPIC, model, request("x", tools));

            assertThat(model.asked().getFirst().body().path("tools"))
                    .hasSize(21)
                    .noneMatch(tool -> tool.has("strict"));
        }
    }

    @Test
    void describesPlainlyTypedProperties() {
        var parameters =
                json("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"b\":{\"type\":\"boolean\"},"
                        + "\"e\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"],\"description\":\"which\"}},"
                        + "\"required\":[\"n\",\"b\",\"e\"],\"additionalProperties\":false}");
        try (var model = ScriptedModel.doing(ModelTurn.text("ok"))) {
            ask(ModelProvider.OPENAI, model, request("x", new ToolDefinition("t", "d", parameters)));

            assertThat(model.asked().getFirst().body().at("/tools/0/function/parameters"))
                    .isEqualTo(parameters);
        }
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void throwsOnWhatTheListenerThrowsAndLeaves(ModelProvider provider) {
        try (var model = ScriptedModel.doing(ModelTurn.text("a").ending(End.ENDLESS));
                var chat = Chats.open(provider, model)) {
            assertThatThrownBy(() -> chat.ask(
                            request("x"),
                            piece -> {
                                throw new IllegalStateException("no room");
                            },
                            Chats.in(Chats.LONG),
                            new Cancellation()))
                    .hasMessage("no room");
            await().until(() -> model.busy() == 0);
        }
    }
}
