package dev.postern.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Limit;
import dev.postern.secret.Redactor;
import dev.postern.secret.SecretValue;
import dev.postern.wire.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// An answer that is far larger than what is handed on is not looked at as a whole, and nobody can tell.
class RoughCutTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int LARGEST_FRAME = Limit.FRAME_BYTES.ceiling();
    private static final int LARGEST_RESULT = Limit.RESULT_BYTES.ceiling();

    private static Redactor redactor(String... values) {
        var secrets = new ArrayList<SecretValue>();
        for (var value : values) {
            secrets.add(new SecretValue("K", value));
        }
        return new Redactor(secrets);
    }

    private static ArrayNode text(String... texts) {
        var content = NODES.arrayNode();
        for (var text : texts) {
            content.addObject().put("type", "text").put("text", text);
        }
        return content;
    }

    private static String random(Random random, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static Stream<String> secretsAcross() {
        var random = new Random(5);
        var plain = random(random, 3_000);
        var bytes = plain.getBytes(StandardCharsets.UTF_8);
        var escaped = new StringBuilder();
        plain.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
        return Stream.of(
                plain, Base64.getEncoder().encodeToString(bytes), escaped.toString(), plain.replaceAll("(.)", "$1\n"));
    }

    /// Marks are so much shorter than these that the cut text fits, and its end would be shown.
    @ParameterizedTest
    @MethodSource("secretsAcross")
    @Tag("SEC-5")
    @Tag("K32")
    void replacesASecretThatLiesAcrossTheCut(String written) {
        var secret = random(new Random(5), 3_000);
        for (int offset = 0; offset < 400; offset += 57) {
            var content = text("-".repeat(offset) + written.repeat(200_000 / written.length() + 2));

            var result = ResultShaper.shape(content, null, redactor(secret), 1_024);

            var shown = result.content().path(0).path("text").asText();
            assertThat(shown).containsPattern("^-*(\\[redacted:K\\]\n?)+$");
            assertThat(result.truncated()).isTrue();
            assertThat(result.redacted()).isPositive();
        }
    }

    @Test
    @Tag("RES-1")
    void handsOnTheSameAsWithoutTheCut() {
        var random = new Random(11);
        for (int round = 0; round < 50; round++) {
            var texts = IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(i -> "é\uD83D\uDE00x".repeat(random.nextInt(60_000)))
                    .toArray(String[]::new);
            int limit = 300 + random.nextInt(2_000);

            var result = ResultShaper.shape(text(texts), null, Redactor.none(), limit);
            var uncut = ResultShaper.shape(text(texts), null, 0, limit);

            assertThat(result).isEqualTo(uncut);
        }
    }

    @Test
    @Tag("RES-2")
    void countsWhatIsBehindTheCutByItsType() {
        var content = text("a".repeat(200_000), "b");
        content.addObject().put("type", "image").put("data", "AAAA");
        content.addObject().put("type", "\u001b[31m");

        var result = ResultShaper.shape(content, null, redactor("s3cr3t-value"), 1_024);

        assertThat(result.truncated()).isTrue();
        assertThat(result.content()).hasSize(1);
        assertThat(result.omittedContent()).isEqualTo(Map.of("text", 1, "image", 1, "unknown", 1));
    }

    @Test
    @Tag("RES-2")
    void leavesOutStructureThatIsFarTooLarge() {
        var structured = NODES.objectNode().put("text", "a".repeat(200_000));

        var result = ResultShaper.shape(text("short"), structured, redactor("s3cr3t-value"), 1_024);

        assertThat(result.structuredContent()).isNull();
        assertThat(result.omittedStructuredContent()).isTrue();
        assertThat(result.truncated()).isFalse();
        assertThat(result.content()).isEqualTo(text("short"));
    }

    @Test
    void neverCutsASurrogatePairInTwo() {
        for (int length = 0; length < 5; length++) {
            var head = RoughCut.head("\uD83D\uDE00".repeat(4), length, Redactor.none());

            assertThat(head.text().length()).isEqualTo(length / 2 * 2);
        }
    }

    enum Hostile {
        BACKSLASHES("\\"),
        ESCAPES("\\u0041"),
        PERCENTS("%"),
        AMPERSANDS("&"),
        MIXED("\\u0041%41&#65;+ "),
        NESTED("%255c%26amp;\\u0026#x26;"),
        WORDS("lorem ipsum dolor\nsit "),
        ZERO_WIDTH("a\u200Bb\u2060");

        private final String piece;

        Hostile(String piece) {
            this.piece = piece;
        }
    }

    /// Eight secrets, at the highest limits there are. The bound is for a hang: 0.2 to 3 s are usual.
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Tag("LIM-3")
    void isDoneSoonWithTheLargestHostileText(Hostile hostile) {
        var text = hostile.piece.repeat(LARGEST_FRAME / hostile.piece.getBytes(StandardCharsets.UTF_8).length);

        var result = ResultShaper.shape(text(text), NODES.objectNode().put("text", text), eight(), LARGEST_RESULT);

        assertThat(StrictJson.bytes(ResultShaper.json(result)).length).isLessThanOrEqualTo(LARGEST_RESULT);
        assertThat(result.truncated()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("structures")
    @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Tag("LIM-3")
    void isDoneSoonWithTheLargestHostileStructure(String name, JsonNode structured) {
        var result = ResultShaper.shape(NODES.arrayNode(), structured, eight(), LARGEST_RESULT);

        assertThat(StrictJson.bytes(ResultShaper.json(result)).length).as(name).isLessThanOrEqualTo(LARGEST_RESULT);
    }

    private static Stream<Arguments> structures() {
        int room = 2 * LARGEST_RESULT;
        var numbers = NODES.arrayNode();
        for (int i = 0; i < room / 8; i++) {
            numbers.add(new BigDecimal("1.5e399"));
        }
        var keys = NODES.objectNode();
        for (int i = 0; i < room / 15; i++) {
            keys.put("k" + (10_000_000 + i), 1);
        }
        var lists = NODES.arrayNode();
        for (int i = 0; i < room / 20; i++) {
            var list = lists.addArray();
            IntStream.rangeClosed(1, 9).forEach(list::add);
        }
        JsonNode deep = NODES.arrayNode().add("x".repeat(room - 1_000)).add(lists.get(0));
        for (int i = 0; i < 60; i++) {
            deep = NODES.arrayNode().add(deep);
        }
        return Stream.of(
                Arguments.of("numbers", numbers),
                Arguments.of("keys", keys),
                Arguments.of("secret lists", lists),
                Arguments.of("deep", deep));
    }

    /// One of digits, one of a list of digits, one with blanks, one with many leaves: the costliest kinds.
    private static Redactor eight() {
        var random = new Random(3);
        var values = new ArrayList<>(List.of(
                "9876543210",
                "1,2,3,4,5,6,7,8,9",
                "correct horse battery staple",
                "{\"user\":\"" + random(random, 30) + "\",\"password\":\"" + random(random, 40) + "\"}"));
        IntStream.range(0, 4).forEach(i -> values.add(random(random, 40) + "+/\"\\"));
        return redactor(values.toArray(String[]::new));
    }
}
