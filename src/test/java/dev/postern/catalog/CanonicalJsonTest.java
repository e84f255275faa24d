package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CAT-6")
class CanonicalJsonTest {
    /// RFC 8785, appendix B.
    @ParameterizedTest
    @CsvSource({
        "0000000000000000,0",
        "8000000000000000,0",
        "0000000000000001,5e-324",
        "8000000000000001,-5e-324",
        "7fefffffffffffff,1.7976931348623157e+308",
        "ffefffffffffffff,-1.7976931348623157e+308",
        "4340000000000000,9007199254740992",
        "c340000000000000,-9007199254740992",
        "4430000000000000,295147905179352830000",
        "44b52d02c7e14af5,9.999999999999997e+22",
        "44b52d02c7e14af6,1e+23",
        "44b52d02c7e14af7,1.0000000000000001e+23",
        "444b1ae4d6e2ef4e,999999999999999700000",
        "444b1ae4d6e2ef4f,999999999999999900000",
        "444b1ae4d6e2ef50,1e+21",
        "3eb0c6f7a0b5ed8c,9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d,0.000001",
        "41b3de4355555553,333333333.3333332",
        "41b3de4355555554,333333333.33333325",
        "41b3de4355555555,333333333.3333333",
        "41b3de4355555556,333333333.3333334",
        "41b3de4355555557,333333333.33333343",
        "becbf647612f3696,-0.0000033333333333333333",
        "43143ff3c1cb0959,1424953923781206.2",
    })
    void writesDoublesAsTheStandardsOwnExamplesDo(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        assertThat(CanonicalJson.text(DoubleNode.valueOf(value))).isEqualTo(expected);
        assertThat(CanonicalJson.text(Json.parse(expected))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0,1",
        "-0.0,0",
        "-0,0",
        "0e5,0",
        "1E3,1000",
        "0.10,0.1",
        "100,100",
        "1e21,1e+21",
        "1e-7,1e-7",
        "1.5e-6,0.0000015",
        "9007199254740993,9007199254740993",
        "9007199254740993.0,9007199254740993",
        "900719925474099300e-2,9007199254740993",
        "-9223372036854775808,-9223372036854775808",
        "18446744073709551615,18446744073709551615",
        "0.1000000000000000000010,0.100000000000000000001",
        "123456789012345678901234567890,123456789012345678901234567890",
        "-1e-400,-0.{399}1",
        "1e400,1{400}",
    })
    void keepsTheDecimalTextOfWhatNoDoubleHolds(String written, String expected) {
        String zeros = expected.replace("{399}", "0".repeat(399)).replace("{400}", "0".repeat(400));
        assertThat(CanonicalJson.text(Json.parse(written))).isEqualTo(zeros);
    }

    @Test
    void staysShortForExponentsBeyondTheWires() {
        assertThat(CanonicalJson.number(new BigDecimal("12e999999999"))).isEqualTo("12e999999999");
        assertThat(CanonicalJson.number(new BigDecimal("-120e-999999999"))).isEqualTo("-12e-999999998");
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThatThrownBy(() -> CanonicalJson.text(DoubleNode.valueOf(Double.POSITIVE_INFINITY)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// RFC 8785, section 3.2.3.
    @Test
    void ordersMembersByUtf16CodeUnits() {
        JsonNode node = Json.parse("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew\","
                + "\"1\":\"One\",\"\\ud83d\\ude00\":\"Smiley\",\"\\u0080\":\"Control\",\"\\u00f6\":\"o\"}");
        assertThat(CanonicalJson.text(node))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"o\","
                        + "\"\u20ac\":\"Euro Sign\",\"\ud83d\ude00\":\"Smiley\",\"\ufb33\":\"Hebrew\"}");
    }

    /// RFC 8785, section 3.2.2.
    @Test
    void escapesOnlyWhatItMust() {
        JsonNode node = Json.parse("{\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\","
                + "\"numbers\":[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],"
                + "\"literals\":[null, true, false]}");
        assertThat(CanonicalJson.text(node))
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.33333329,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void tellsLoneSurrogatesApart() {
        assertThat(CanonicalJson.text(TextNode.valueOf("\ud800"))).isEqualTo("\"\\ud800\"");
        assertThat(CanonicalJson.text(TextNode.valueOf("\udc00x"))).isEqualTo("\"\\udc00x\"");
        assertThat(Digest.of(TextNode.valueOf("\ud800"))).isNotEqualTo(Digest.of(TextNode.valueOf("\ud801")));
    }

    @Test
    void digestIsThatOfTheCanonicalText() {
        assertThat(Digest.of(Json.parse("{ }")))
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    @Test
    @Tag("T34")
    void digestIsBlindToOrderSpaceAndSpelling() {
        String one = Digest.of(Json.parse("{\"a\":[1,2.50],\"b\":{\"c\":\"\\u00e9\",\"d\":1e2}}"));
        String other = Digest.of(Json.parse(" {\n\"b\": {\"d\": 100, \"c\": \"é\"} , \"a\" : [1.0, 2.5]}"));
        assertThat(one).isEqualTo(other);
    }

    @Test
    @Tag("T34")
    void anyChangeOfOneCharacterOfAValueOrNameChangesTheDigest() {
        String text = "{\"name\":\"read\",\"title\":\"x y\",\"n\":12345678901234567891,\"annotations\":{\"a\":true}}";
        var digests = new HashSet<String>();
        digests.add(Digest.of(Json.parse(text)));
        int variants = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetterOrDigit(c) && !text.startsWith("true", i) && !"rue".contains(String.valueOf(c))) {
                char other = Character.isDigit(c) ? (char) ('1' + (c - '0') % 9) : (char) (c ^ 0x20);
                digests.add(Digest.of(Json.parse(text.substring(0, i) + other + text.substring(i + 1))));
                variants++;
            }
        }
        assertThat(digests).hasSize(variants).hasSizeGreaterThan(40);
    }

    @Test
    void shufflingMembersChangesNothingAndParsingBackLosesNothing() {
        var random = new Random(8785);
        for (int i = 0; i < 2_000; i++) {
            JsonNode node = randomNode(random, 4);
            String text = CanonicalJson.text(node);
            assertThat(CanonicalJson.text(shuffled(node, random))).isEqualTo(text);
            assertThat(CanonicalJson.text(Json.parse(text))).isEqualTo(text);
        }
    }

    @Test
    void randomDoublesComeBackExactlyAndShortest() {
        var random = new Random(754);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String text = CanonicalJson.text(DoubleNode.valueOf(value));
                assertThat(Double.parseDouble(text)).isEqualTo(value);
                assertThat(text.length()).isLessThanOrEqualTo(25);
            }
        }
    }

    private static JsonNode randomNode(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> Json.parse(String.valueOf(random.nextLong() >> random.nextInt(64)));
            case 1 ->
                Json.parse(new BigDecimal(random.nextLong())
                        .movePointLeft(random.nextInt(40))
                        .toString());
            case 2 -> TextNode.valueOf(randomText(random));
            case 3 -> Json.parse("true");
            case 4 -> Json.parse("null");
            case 5 -> {
                ArrayNode array = Json.MAPPER.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(randomNode(random, depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set(randomText(random), randomNode(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static String randomText(Random random) {
        var out = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            int c = random.nextInt(random.nextBoolean() ? 0x80 : 0x11000);
            out.appendCodePoint(c >= 0xD800 && c < 0xE000 ? 'x' : c);
        }
        return out.toString();
    }

    private static JsonNode shuffled(JsonNode node, Random random) {
        if (node.isArray()) {
            ArrayNode array = Json.MAPPER.createArrayNode();
            node.forEach(child -> array.add(shuffled(child, random)));
            return array;
        }
        if (!node.isObject()) {
            return node;
        }
        var members = new ArrayList<Map.Entry<String, JsonNode>>(node.properties());
        Collections.shuffle(members, random);
        ObjectNode object = Json.MAPPER.createObjectNode();
        members.forEach(member -> object.set(member.getKey(), shuffled(member.getValue(), random)));
        return object;
    }
}
