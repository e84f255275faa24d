package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("RES-1")
@Tag("LIM-1")
@Tag("LIM-2")
class JsonSizeTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static void agrees(JsonNode node) {
        assertThat(JsonSize.of(node)).as(node.toString()).isEqualTo(StrictJson.bytes(node).length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1E-63",
                "1E-64",
                "1E400",
                "-1e-400",
                "0.10",
                "-0.0",
                "0E5",
                "12345678901234567890",
                "1.5E+10",
                "100e-2"
            })
    void countsANumberAsItIsWritten(String number) {
        switch (StrictJson.parse("[" + number + "]")) {
            case StrictJson.Valid valid -> agrees(valid.value());
            case StrictJson.Malformed malformed -> throw new AssertionError(malformed.describe());
        }
    }

    @Test
    void countsEveryCharacterAsItIsWritten() {
        for (int point = 0; point < 0x3000; point++) {
            agrees(NODES.textNode(Character.toString(point)));
        }
        agrees(NODES.textNode("\uD83D\uDE00\uFFFF"));
    }

    @Test
    void countsWhatIsWrittenWhateverTheTree() {
        var random = new Random(63);
        for (int i = 0; i < 3_000; i++) {
            agrees(tree(random, 4));
        }
    }

    private static JsonNode tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 8 : 10)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt());
            case 3 -> NODES.numberNode(random.nextLong());
            case 4 -> NODES.numberNode(new BigInteger(200, random).negate());
            case 5 -> NODES.numberNode(new BigDecimal(new BigInteger(200, random), random.nextInt(900) - 400));
            case 6 -> NODES.numberNode(random.nextGaussian() * Math.pow(10, random.nextInt(600) - 300));
            case 7 -> NODES.textNode(text(random));
            case 8 -> {
                var array = NODES.arrayNode();
                for (int n = random.nextInt(5); n > 0; n--) {
                    array.add(tree(random, depth - 1));
                }
                yield array;
            }
            default -> {
                var object = NODES.objectNode();
                for (int n = random.nextInt(5); n > 0; n--) {
                    object.set(text(random), tree(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static String text(Random random) {
        int most = random.nextBoolean() ? 0x100 : 0xD800;
        return random.ints(random.nextInt(12), 0, most)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
