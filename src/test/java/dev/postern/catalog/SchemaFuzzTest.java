package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limits;
import dev.postern.testkit.Cost;
import dev.postern.wire.StrictJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// Any schema that comes off the wire, and any arguments. The first line of an input is the schema, the rest are
/// the arguments.
@Tag("F9")
@Tag("CAT-3")
class SchemaFuzzTest {
    /// A budget of steps bounds what checking may take, not the size of the input.
    private static final long MOST_BYTES = 1L << 20;

    @FuzzTest
    @Timeout(60)
    void excludesTheToolOrChecksWhatItIsGiven(byte[] data) {
        int end = 0;
        while (end < data.length && data[end] != '\n') {
            end++;
        }
        JsonNode schema = json(data, 0, end);
        if (schema == null) {
            return;
        }
        int rest = Math.min(end + 1, data.length);
        JsonNode arguments = json(data, rest, data.length - rest);
        Catalog catalog = Cost.within(131_072 + 512L * data.length, () -> catalog(schema));

        assertThat(catalog.tools().size() + catalog.excluded().size()).isEqualTo(2);
        for (Excluded excluded : catalog.excluded()) {
            assertThat(excluded.reason().length()).isBetween(1, 1_000);
            assertVisible(excluded.reason());
        }
        for (Tool tool : catalog.tools()) {
            assertThat(ModelDefinition.of(tool).description()).isNotEmpty();
            if (arguments != null) {
                assertSound(Cost.within(MOST_BYTES, () -> tool.input().validate(arguments)));
                ToolSchema output = tool.output();
                if (output != null) {
                    assertSound(Cost.within(MOST_BYTES, () -> output.validate(arguments)));
                }
            }
        }
    }

    private static @Nullable JsonNode json(byte[] data, int from, int length) {
        return StrictJson.parse(data, from, length) instanceof StrictJson.Valid valid ? valid.value() : null;
    }

    private static Catalog catalog(JsonNode schema) {
        var input = definition("in").set("inputSchema", schema);
        var output = definition("out");
        output.putObject("inputSchema").put("type", "object");
        output.set("outputSchema", schema);
        return new CatalogBuilder("s", Limits.standard(), true, text -> text)
                .build(List.of((ObjectNode) input, output), List.of("in", "out"));
    }

    private static ObjectNode definition(String name) {
        return JsonNodeFactory.instance.objectNode().put("name", name);
    }

    private static void assertSound(List<ToolSchema.Violation> violations) {
        assertThat(violations.size()).isLessThanOrEqualTo(16);
        for (var violation : violations) {
            assertThat(violation.message().codePointCount(0, violation.message().length()))
                    .isBetween(1, 400);
            assertThat(violation.message()).doesNotContain("could not be checked");
            assertVisible(violation.message());
            assertThat(violation.pointer().length()).isLessThanOrEqualTo(1_001);
        }
    }

    private static void assertVisible(String text) {
        assertThat(text.chars().anyMatch(Character::isISOControl)).as(text).isFalse();
    }
}
