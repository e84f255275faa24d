package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random texts with fixed seeds; Jackson, made as strict as it can be, is the second opinion.
@Tag("WIR-3")
@Tag("F4")
class StrictJsonPropertyTest {
    private static final int ROUNDS = 4_000;

    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    private static final ObjectMapper JACKSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void agreesWithJacksonOnGeneratedValues(long seed) throws JsonProcessingException {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            var text = new StringBuilder();
            generate(text, random, 0);

            assertThat(StrictJson.parse(text.toString()))
                    .as("%s", text)
                    .isEqualTo(new StrictJson.Valid(JACKSON.readTree(text.toString())));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void acceptsNothingThatJacksonRefusesAndWritesBackWhatItAccepts(long seed) throws JsonProcessingException {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            var text = new StringBuilder();
            generate(text, random, 0);
            damage(text, random);
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);

            if (StrictJson.parse(bytes) instanceof StrictJson.Valid valid) {
                assertThat(valid.value()).as("%s", text).isEqualTo(JACKSON.readTree(text.toString()));
                assertWritesBack(valid);
            } else {
                assertThat(refusedByJacksonOrOurOwnRules(text.toString()))
                        .as("%s", text)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8})
    void settlesOnAnyBytes(long seed) {
        var random = new Random(seed);
        byte[] alphabet = "{}[]\",:\\u0123456789abcdefntr-+.eE \t\r\n\u00e9\uFEFF".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = alphabet[random.nextInt(alphabet.length)];
            }
            switch (StrictJson.parse(bytes)) {
                case StrictJson.Valid valid -> assertWritesBack(valid);
                case StrictJson.Malformed fault -> {
                    assertThat(fault.line()).isPositive();
                    assertThat(fault.column()).isPositive();
                    assertThat(fault.reason()).isNotBlank();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {9, 10})
    void writesEveryNumberSoThatItReadsBackTheSame(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            int digits = 1 + random.nextInt(63);
            var text = new StringBuilder(random.nextBoolean() ? "-" : "");
            text.append(random.nextInt(10)).append('.');
            for (int j = 0; j < digits; j++) {
                text.append(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
            }
            text.append('e').append(random.nextInt(801) - 400);

            String written = StrictJson.text(value(text.toString()));

            assertThat(value(written).decimalValue()).isEqualTo(new BigDecimal(text.toString()));
            assertThat(written.length()).isLessThanOrEqualTo(72);
        }
    }

    private static JsonNode value(String text) {
        assertThat(StrictJson.parse(text)).as(text).isInstanceOf(StrictJson.Valid.class);
        return ((StrictJson.Valid) StrictJson.parse(text)).value();
    }

    /// A decimal without fraction digits may come back as an integer: the value counts, not the node's class.
    private static void assertWritesBack(StrictJson.Valid valid) {
        String written = StrictJson.text(valid.value());

        assertThat(value(written).equals(BY_VALUE, valid.value())).as(written).isTrue();
        assertThat(written).doesNotContain("\n", "\r");
    }

    private static boolean refusedByJacksonOrOurOwnRules(String text) {
        try {
            JsonNode tree = JACKSON.readTree(text);
            return tree.isMissingNode() || text.contains("\\u") || text.matches("(?s).*\\d[eE][+-]?\\d{3}.*");
        } catch (JsonProcessingException | NumberFormatException e) {
            return true;
        }
    }

    private static void generate(StringBuilder out, Random random, int depth) {
        switch (random.nextInt(depth > 4 ? 5 : 8)) {
            case 0 -> out.append(random.nextInt());
            case 1 -> out.append(random.nextLong()).append(random.nextInt(10_000));
            case 2 ->
                out.append(random.nextInt(1_000))
                        .append('.')
                        .append(random.nextInt(1_000))
                        .append(random.nextBoolean() ? "e" + (random.nextInt(80) - 40) : "");
            case 3 -> string(out, random);
            case 4 -> out.append(random.nextBoolean() ? "null" : random.nextBoolean() ? "true" : "false");
            case 5, 6 -> {
                out.append('{');
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    out.append(i > 0 ? " ," : "").append("\"").append(i).append("\":");
                    generate(out, random, depth + 1);
                }
                out.append('}');
            }
            default -> {
                out.append('[');
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    out.append(i > 0 ? ",\t" : "");
                    generate(out, random, depth + 1);
                }
                out.append(']');
            }
        }
    }

    private static void string(StringBuilder out, Random random) {
        String[] pieces = {"a", "é", "😀", "\\n", "\\\"", "\\u0041", "\\ud83d\\ude00", "\\\\", "\\/", "\u2028", " "};
        out.append('"');
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            out.append(pieces[random.nextInt(pieces.length)]);
        }
        out.append('"');
    }

    private static void damage(StringBuilder text, Random random) {
        String letters = "{}[]\",:\\0159-+.eEu \n\u0000x";
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.insert(at, letters.charAt(random.nextInt(letters.length())));
            default -> text.setLength(at);
        }
        // A cut through a surrogate pair is another test's business.
        int unpaired;
        while ((unpaired = StrictJson.unpairedSurrogate(text.toString())) >= 0) {
            text.deleteCharAt(unpaired);
        }
    }
}
