package dev.postern.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.catalog.Tool;
import dev.postern.catalog.ToolSchema;
import dev.postern.mcp.Era;
import dev.postern.mcp.Reply;
import dev.postern.secret.Redactor;
import dev.postern.wire.StrictJson;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CAL-2")
class ClassifierTest {
    private static final ToolSchema ANYTHING = instance -> List.of();

    private static JsonNode json(String text) {
        return switch (StrictJson.parse(text)) {
            case StrictJson.Valid valid -> valid.value();
            case StrictJson.Malformed malformed -> throw new AssertionError(malformed.describe());
        };
    }

    private static Outcome outcome(@Nullable ToolSchema output, Supplier<Reply> sending) {
        var tool = new Tool("s", "t", "", (ObjectNode) json("{\"name\":\"t\"}"), ANYTHING, output, "");
        return new Classifier("s", tool, Era.STATELESS, Redactor::none, 4_096).outcomeOf(sending);
    }

    private static Outcome outcome(String result) {
        return outcome(null, () -> new Reply.Result(json(result)));
    }

    private static void isUnprocessed(Outcome outcome) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Unknown.class, unknown -> {
            assertThat(unknown.problem().code()).isEqualTo(ErrorCode.UNKNOWN_UNPROCESSED);
            assertThat(unknown.problem().message()).contains("could not be processed", "may have done it");
            assertThat(unknown.problem().next()).startsWith("Check with the server");
        });
    }

    @Test
    void callsTheOutcomeUnknownWhenTheSessionBreaks() {
        isUnprocessed(outcome(null, () -> {
            throw new IllegalStateException("of ours");
        }));
    }

    @Test
    void callsTheOutcomeUnknownWhenTheAnswerCannotBeProcessed() {
        isUnprocessed(outcome(
                instance -> {
                    throw new StackOverflowError();
                },
                () -> new Reply.Result(json("{\"content\":[],\"structuredContent\":{}}"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\":[],\"structuredContent\":null}",
                "{\"content\":[],\"isError\":null}",
                "{\"content\":[],\"resultType\":null}"
            })
    void takesNullAsAbsent(String result) {
        assertThat(outcome(result))
                .isInstanceOfSatisfying(
                        Outcome.Succeeded.class,
                        succeeded -> assertThat(succeeded.result().structuredContent())
                                .isNull());
    }

    @Test
    @Tag("CAL-6")
    void missesStructuredContentThatIsNullWhereAnOutputSchemaIsDeclared() {
        assertThat(outcome(ANYTHING, () -> new Reply.Result(json("{\"content\":[],\"structuredContent\":null}"))))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_INVALID));
    }

    @Test
    void endsASentenceOnce() {
        var reason = new Problem(ErrorCode.START_EXITED, "The server ended with exit code 1.", "Look.");
        assertThat(outcome(null, () -> new Reply.Ended(reason)))
                .isInstanceOfSatisfying(
                        Outcome.Unknown.class,
                        unknown -> assertThat(unknown.problem().message())
                                .contains("exit code 1. It may have done it.")
                                .doesNotContain(".."));
    }
}
