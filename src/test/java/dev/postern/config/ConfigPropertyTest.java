package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Damages good configurations in every way that a seed brings up. The seed is fixed: a failure comes back.
@Tag("CFG-1")
class ConfigPropertyTest {
    private static final int ROUNDS = 6_000;
    private static final Duration GENEROUS = Duration.ofMinutes(2);
    private static final String PIECES =
            "{}[]:,\"\\/*'#-+.0123456789eEtrufalsn \t\r\n\u0000\u00a0\ufeff\ud800\udc00é😀";

    private static final List<String> SEEDS = List.of(
            "{}",
            Configs.server(
                    "\"scheduledTools\":[\"read\"],\"approval\":\"auto\",\"limits\":{\"pages\":3},"
                            + "\"timeouts\":{\"call\":\"3s\"},\"environment\":{\"A\":{\"env\":\"B\"},\"C\":{\"value\":\"\\u00e9\"}}"),
            "// c\n{ /* d */ \"limits\": {\"servers\": 2}, \"timeouts\": {\"close\": \"500ms\"}, \"$schema\": \"s\" }",
            "{\"mcpServers\":[{\"id\":\"r\",\"enabled\":false,\"tools\":[\"a\"],\"transport\":{\"type\":\"sse\","
                    + "\"url\":\"https://h/p\",\"headers\":{\"X\":{\"credential\":\"c\"}},\"oauth\":{\"k\":[1,null,true]}}}]}");

    @Test
    void neverThrowsAndNeverHangsWhateverTheText() {
        assertTimeoutPreemptively(GENEROUS, () -> {
            var random = new Random(20261130);
            for (int i = 0; i < ROUNDS; i++) {
                String text = damaged(random);
                var result = Configs.parse(text);
                assertSound(result, text);
                assertWhole(result, text);
                assertSound(Configs.parse(null, text, text), text);
            }
        });
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        var random = new Random(7);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = SEEDS.get(i % SEEDS.size()).getBytes(StandardCharsets.UTF_8);
            for (int k = random.nextInt(4); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            var text = ConfigText.ofUtf8("config.json", Configs.DATA, bytes);
            assertThat(ConfigParser.parse(text, null, null)).isNotNull();
        }
    }

    /// Jackson, told to be as strict, must agree with our reader on what is JSON and on every value in it. NUL is
    /// left out, since Jackson refuses it in comments too; the brackets around are there because it wants white
    /// space after a number that is the whole text.
    @Test
    void agreesWithAnIndependentReaderOnWhatIsJson() throws JsonProcessingException {
        var mapper = strictMapper();
        var random = new Random(42);
        int accepted = 0;
        for (int i = 0; i < ROUNDS; i++) {
            String text = "[" + damaged(random).replace('\0', ' ') + "\n]";
            var findings = new Findings();
            var tree = new JsonReader(ConfigText.of("config.json", Configs.DATA, text), findings).read();
            var expected = read(mapper, text);
            boolean lone = hasLoneSurrogate(text);
            if (!lone) {
                assertThat(findings.count() == 0).as(text).isEqualTo(expected != null);
            }
            if (expected != null && !lone) {
                accepted++;
                assertThat(mapper.readTree(written(tree))).as(text).isEqualTo(expected);
            }
        }
        assertThat(accepted).isGreaterThan(ROUNDS / 20);
    }

    @Test
    void readsTheLargestFilesInReasonableTime() {
        assertTimeoutPreemptively(GENEROUS, () -> {
            for (var piece :
                    List.of("[", "{\"a\":", "\"\\u0041", "\"a\":1,", "//", "/*", ",", "\n", "\"k\" ", "1 ", "{}")) {
                String text = piece.repeat(ConfigText.MAX_BYTES / piece.length());
                assertSound(Configs.parse(text), piece);
                assertSound(Configs.parse("{" + text + "}"), piece);
                assertSound(Configs.parse("{\"mcpServers\":[" + text + "]}"), piece);
            }
            String args = ("\"" + "xoxb-".repeat(4_000) + "\",").repeat(50);
            String file = Configs.server("").replace("\"args\":[]", "\"args\":[" + args + "\"\"]");
            assertThat(Configs.accepted(file).servers()).hasSize(1);
        });
    }

    private static void assertSound(ConfigResult result, String text) {
        if (result instanceof ConfigResult.Rejected rejected) {
            assertThat(rejected.problems().size()).as(text).isBetween(1, Findings.MOST);
            for (var problem : rejected.problems()) {
                if (problem.line() < 1 || problem.column() < 1 || problem.text().length() > 1_500) {
                    fail(text + " gives " + problem);
                }
            }
        }
    }

    /// No entry may get lost without a problem.
    private static void assertWhole(ConfigResult result, String text) {
        if (result instanceof ConfigResult.Accepted accepted) {
            int entries = 0;
            var tree = (Tree.Obj) new JsonReader(ConfigText.of("", Configs.DATA, text), new Findings()).read();
            for (var member : tree.members()) {
                entries += member.name().equals("mcpServers")
                        ? ((Tree.Arr) member.value()).items().size()
                        : 0;
            }
            assertThat(accepted.config().servers()).as(text).hasSize(entries);
        }
    }

    private static String damaged(Random random) {
        var text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
        for (int k = random.nextInt(4); k >= 0 && !text.isEmpty(); k--) {
            int at = random.nextInt(text.length());
            int piece = random.nextInt(PIECES.length());
            switch (random.nextInt(6)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, PIECES.charAt(piece));
                case 2 -> text.setCharAt(at, PIECES.charAt(piece));
                case 3 -> text.setLength(at);
                case 4 -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(40))));
                default -> text.insert(at, PIECES.substring(piece));
            }
        }
        return text.toString();
    }

    private static ObjectMapper strictMapper() {
        var factory = JsonFactory.builder()
                .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                .build();
        return JsonMapper.builder(factory)
                .enable(
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();
    }

    private static @org.jspecify.annotations.Nullable JsonNode read(ObjectMapper mapper, String text) {
        try {
            var node = mapper.readTree(text);
            return node.isMissingNode() || hasLoneSurrogate(node.toString()) ? null : node;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static boolean hasLoneSurrogate(String text) {
        return text.codePoints().anyMatch(point -> point >= 0xD800 && point <= 0xDFFF);
    }

    /// Our tree as JSON text; of a repeated key the last counts, as for Jackson.
    private static String written(Tree tree) {
        return switch (tree) {
            case Tree.Obj object -> {
                var text = new StringBuilder("{");
                for (var member : object.members()) {
                    text.append(text.length() > 1 ? "," : "")
                            .append(quoted(member.name()))
                            .append(':')
                            .append(written(member.value()));
                }
                yield text.append('}').toString();
            }
            case Tree.Arr array -> {
                var text = new StringBuilder("[");
                for (var item : array.items()) {
                    text.append(text.length() > 1 ? "," : "").append(written(item));
                }
                yield text.append(']').toString();
            }
            case Tree.Text text -> quoted(text.value());
            case Tree.Num number -> number.written();
            case Tree.Bool bool -> bool.value() ? "true" : "false";
            case Tree.Nil nil -> "null";
            case Tree.Broken broken -> throw new AssertionError("a broken value without a problem");
        };
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
