package dev.postern.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.wire.StrictJson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CLI-8")
class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"a\":[1,-2.50,1E400,123456789012345678901234567890],\"b\":{\"c\":true,\"d\":null}}",
                "\"é😀 \\\\ \\\" / \\n\""
            })
    void writesWhatWasReadExactly(String json) {
        assertThat(JsonText.compact(parse(json))).isEqualTo(json);
    }

    @Test
    void indentsForPeople() {
        var wide = "x".repeat(60);
        assertThat(JsonText.pretty(parse("{\"a\":[1,2],\"b\":{},\"c\":[\"" + wide + "\",{\"d\":null}]}")))
                .isEqualTo("{\n  \"a\": [1, 2],\n  \"b\": {},\n  \"c\": [\n    \"" + wide
                        + "\",\n    {\"d\": null}\n  ]\n}");
    }

    @Test
    @Tag("CAT-5")
    @Tag("F35")
    void writesWhatWouldNotBeSeenAsEscapesAndKeepsTheValue() {
        var value = "esc\u001b csi\u009b bidi\u202e zero\u200b tag\udb40\udc41 ok é😀中";
        var node = JsonNodeFactory.instance.objectNode().put("k\u2066", value);

        var text = JsonText.compact(node);

        assertThat(text)
                .isEqualToIgnoringCase("{\"k\\u2066\":\"esc\\u001b csi\\u009b bidi\\u202e zero\\u200b"
                        + " tag\\udb40\\udc41 ok é😀中\"}");
        assertThat(parse(text)).isEqualTo(node);
    }

    @Test
    void survivesHalfASurrogatePair() {
        assertThat(JsonText.compact(JsonNodeFactory.instance.textNode("a\ud800b")))
                .isEqualTo("\"a\\ud800b\"");
    }

    private static JsonNode parse(String text) {
        return ((StrictJson.Valid) StrictJson.parse(text)).value();
    }
}
