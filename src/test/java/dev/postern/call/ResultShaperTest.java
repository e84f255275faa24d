package dev.postern.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.postern.wire.StrictJson;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ResultShaperTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode json(String text) throws Exception {
        return JSON.readTree(text);
    }

    private static int bytes(ToolResult result) {
        return StrictJson.bytes(ResultShaper.json(result)).length;
    }

    @Test
    @Tag("RES-3")
    void handsOnTextAndEmbeddedTextAndStructuredContent() throws Exception {
        var content = (ArrayNode) json("""
                [{"type":"text","text":"hi","annotations":{"audience":["user"]}},
                 {"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"body","_meta":{}}}]""");

        var result = ResultShaper.shape(content, json("{\"a\":1}"), 0, 4_096);

        assertThat(result.content()).isEqualTo(json("""
                [{"type":"text","text":"hi"},
                 {"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"body"}}]"""));
        assertThat(result.structuredContent()).isEqualTo(json("{\"a\":1}"));
        assertThat(result.truncated()).isFalse();
        assertThat(result.omittedContent()).isEmpty();
    }

    @Test
    @Tag("RES-3")
    @Tag("RES-2")
    void replacesEverythingElseByMarkersAndCountsThemByType() throws Exception {
        var content = (ArrayNode) json("""
                [{"type":"image","data":"AAAA","mimeType":"image/png"},
                 {"type":"audio","data":"AAAA","mimeType":"audio/wav"},
                 {"type":"resource","resource":{"uri":"file:///b","blob":"AAAA"}},
                 {"type":"resource_link","uri":"http://127.0.0.1:1/x","name":"x"},
                 {"type":"image","data":"BBBB","mimeType":"image/png"},
                 {"type":"\\u001b[31mred"}, {"text":"no type"}, 17]""");

        var result = ResultShaper.shape(content, null, 0, 4_096);

        assertThat(result.content().toString()).doesNotContain("AAAA", "BBBB", "127.0.0.1", "\u001b");
        assertThat(result.content())
                .allSatisfy(block -> assertThat(block.path("type").asText()).isEqualTo("text"));
        assertThat(result.omittedContent())
                .isEqualTo(Map.of("image", 2, "audio", 1, "resource", 1, "resource_link", 1, "unknown", 3));
    }

    @Test
    @Tag("RES-1")
    @Tag("RES-2")
    void shortensTheBlockThatCrossesTheLimitAndLeavesOutTheRest() throws Exception {
        var content = JSON.createArrayNode();
        content.addObject().put("type", "text").put("text", "a".repeat(300));
        content.addObject().put("type", "text").put("text", "b".repeat(2_000));
        content.addObject().put("type", "text").put("text", "c");

        var result = ResultShaper.shape(content, null, 0, 1_024);

        assertThat(result.truncated()).isTrue();
        assertThat(result.content()).hasSize(2);
        assertThat(result.content().get(1).path("text").asText()).matches("b{16,}");
        assertThat(result.omittedContent()).isEqualTo(Map.of("text", 1));
        assertThat(bytes(result)).isLessThanOrEqualTo(1_024);
    }

    @Test
    @Tag("RES-1")
    void leavesStructuredContentOutWholeWhenItDoesNotFit() throws Exception {
        var content = (ArrayNode) json("[{\"type\":\"text\",\"text\":\"short\"}]");
        var structured = JSON.createObjectNode().put("big", "x".repeat(2_000));

        var result = ResultShaper.shape(content, structured, 0, 1_024);

        assertThat(result.structuredContent()).isNull();
        assertThat(result.omittedStructuredContent()).isTrue();
        assertThat(result.truncated()).isFalse();
        assertThat(result.content()).hasSize(1);
    }

    @Test
    @Tag("RES-1")
    void keepsSmallStructuredContentBesideATextThatIsTooLong() throws Exception {
        var content = JSON.createArrayNode();
        content.addObject().put("type", "text").put("text", "x".repeat(5_000));

        var result = ResultShaper.shape(content, json("{\"id\":7}"), 0, 1_024);

        assertThat(result.structuredContent()).isEqualTo(json("{\"id\":7}"));
        assertThat(result.truncated()).isTrue();
        assertThat(bytes(result)).isBetween(900, 1_024);
    }

    @Test
    @Tag("RES-1")
    void fitsWhateverComes() {
        var random = new Random(11);
        for (int i = 0; i < 500; i++) {
            var content = JSON.createArrayNode();
            for (int b = random.nextInt(30); b > 0; b--) {
                var text = random.ints(random.nextInt(400), 0, 0x700)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
                if (random.nextBoolean()) {
                    content.addObject().put("type", "text").put("text", text);
                } else {
                    content.addObject()
                            .put("type", "resource")
                            .putObject("resource")
                            .put("uri", "x:" + b)
                            .put("text", text);
                }
            }
            var structured =
                    random.nextBoolean() ? JSON.createObjectNode().put("s", "y".repeat(random.nextInt(3_000))) : null;
            int limit = 512 + random.nextInt(4_000);

            var result = ResultShaper.shape(content, structured, 3, limit);

            assertThat(bytes(result)).isLessThanOrEqualTo(limit);
        }
    }

    @Test
    @Tag("RES-2")
    void countsWhatAMarkerStandsForOnceEvenWhenTheMarkerIsCutAway() throws Exception {
        var content = JSON.createArrayNode();
        content.addObject().put("type", "text").put("text", "a".repeat(5_000));
        content.addObject().put("type", "image").put("data", "AAAA");
        content.addObject().put("type", "text").put("text", "b");

        var result = ResultShaper.shape(content, null, 0, 1_024);

        assertThat(result.content()).hasSize(1);
        assertThat(result.omittedContent()).isEqualTo(Map.of("image", 1, "text", 1));
    }

    @Test
    @Tag("RES-1")
    @Tag("LIM-3")
    void fitsHoweverManyTypesThereAreAndHoweverSmallTheLimit() {
        var content = JSON.createArrayNode();
        for (int i = 0; i < 3_000; i++) {
            var name = "t".repeat(1 + i % 30) + "_" + Integer.toString(i, 26).replaceAll("[0-9]", "z");
            content.addObject().put("type", name);
            content.addObject().put("type", "text").put("text", "x");
            content.addObject().put("type", "image");
            content.addObject().put("type", "audio");
            content.addObject().put("type", "resource_link");
            content.addObject().put("type", "resource").putObject("resource").put("text", "x");
        }
        for (int limit = 1; limit < 600; limit += 7) {
            var result = ResultShaper.shape(content, JSON.createObjectNode().put("a", 1), 1_000, limit);

            assertThat(bytes(result)).isLessThanOrEqualTo(Math.max(limit, 256));
            assertThat(result.omittedContent()).containsEntry("unknown", 3_000);
        }
    }
}
