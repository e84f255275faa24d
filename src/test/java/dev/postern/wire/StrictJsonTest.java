package dev.postern.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("WIR-3")
class StrictJsonTest {
    static Stream<Arguments> malformedTexts() {
        return Stream.of(
                Arguments.of("", "the text ends too early, expected a value"),
                Arguments.of(" \t\r\n", "the text ends too early, expected a value"),
                Arguments.of("nul", "the text ends too early, expected true, false or null"),
                Arguments.of("nulL", "unexpected 'L', expected true, false or null"),
                Arguments.of("True", "unexpected 'T', expected a value"),
                Arguments.of("NaN", "unexpected 'N', expected a value"),
                Arguments.of("Infinity", "unexpected 'I', expected a value"),
                Arguments.of("-Infinity", "unexpected 'I', expected a digit"),
                Arguments.of("+1", "unexpected '+', expected a value"),
                Arguments.of(".5", "unexpected '.', expected a value"),
                Arguments.of("1.", "the text ends too early, expected a digit"),
                Arguments.of("1.e5", "unexpected 'e', expected a digit"),
                Arguments.of("1e", "the text ends too early, expected a digit"),
                Arguments.of("1e+", "the text ends too early, expected a digit"),
                Arguments.of("1e+-1", "unexpected '-', expected a digit"),
                Arguments.of("-", "the text ends too early, expected a digit"),
                Arguments.of("01", "text after the end of the JSON value"),
                Arguments.of("[-01]", "unexpected '1', expected ',' or ']'"),
                Arguments.of("0x1", "text after the end of the JSON value"),
                Arguments.of("{} {}", "text after the end of the JSON value"),
                Arguments.of("{}garbage", "text after the end of the JSON value"),
                Arguments.of("1,", "text after the end of the JSON value"),
                Arguments.of("[1,]", "unexpected ']', expected a value"),
                Arguments.of("[,1]", "unexpected ',', expected a value"),
                Arguments.of("[1 2]", "unexpected '2', expected ',' or ']'"),
                Arguments.of("[1", "the text ends too early, expected ',' or ']'"),
                Arguments.of("[1}", "unexpected '}', expected ',' or ']'"),
                Arguments.of("{", "the text ends too early, expected a key in double quotes"),
                Arguments.of("{a:1}", "unexpected 'a', expected a key in double quotes"),
                Arguments.of("{'a':1}", "unexpected ''', expected a key in double quotes"),
                Arguments.of("{\"a\"}", "unexpected '}', expected ':' after the key"),
                Arguments.of("{\"a\":}", "unexpected '}', expected a value"),
                Arguments.of("{\"a\":1,}", "unexpected '}', expected a key in double quotes"),
                Arguments.of("{\"a\":1 \"b\":2}", "unexpected '\"', expected ',' or '}'"),
                Arguments.of("{\"a\":1,\"a\":2}", "duplicate key"),
                Arguments.of("{\"a\":1,\"\\u0061\":2}", "duplicate key"),
                Arguments.of("{\"x\":{\"\":null,\"\":null}}", "duplicate key"),
                Arguments.of("// comment\n1", "unexpected '/', expected a value"),
                Arguments.of("/* comment */ 1", "unexpected '/', expected a value"),
                Arguments.of("\"open", "the text ends too early, expected '\"' at the end of the string"),
                Arguments.of("\"open\\", "the text ends too early, expected an escape"),
                Arguments.of("\"\\n open", "the text ends too early, expected '\"' at the end of the string"),
                Arguments.of("\"tab\there\"", "unescaped control character in a string"),
                Arguments.of("\"\\\\line\nbreak\"", "unescaped control character in a string"),
                Arguments.of("\"nul\u0000\"", "unescaped control character in a string"),
                Arguments.of("\"\\x41\"", "unknown escape in a string"),
                Arguments.of("\"\\U0041\"", "unknown escape in a string"),
                Arguments.of("\"\\'\"", "unknown escape in a string"),
                Arguments.of("\"\\u00g0\"", "unexpected 'g', expected four hexadecimal digits"),
                Arguments.of("\"\\u00\"", "unexpected '\"', expected four hexadecimal digits"),
                Arguments.of("\"\\u00", "the text ends too early, expected four hexadecimal digits"),
                Arguments.of("\"\\u00\uFF11\uFF11\"", "unexpected a character, expected four hexadecimal digits"),
                Arguments.of("\"\\ud83d\"", "unpaired surrogate"),
                Arguments.of("\"\\ude00\"", "unpaired surrogate"),
                Arguments.of("\"\\ud83dx\"", "unpaired surrogate"),
                Arguments.of("\"\\ud83d\\n\"", "unpaired surrogate"),
                Arguments.of("\"\\ud83d\\ud83d\"", "unpaired surrogate"),
                Arguments.of("\"\\ude00\\ud83d\"", "unpaired surrogate"),
                Arguments.of("\"\\ud83d\\u0041\"", "unpaired surrogate"),
                Arguments.of("{\"\\ud83d\":1}", "unpaired surrogate"),
                Arguments.of("\uFEFF\uFEFF{}", "unexpected a character, expected a value"),
                Arguments.of("{}\uFEFF", "text after the end of the JSON value"),
                Arguments.of("\u00A0{}", "unexpected a character, expected a value"),
                Arguments.of("\u0000", "unexpected a character, expected a value"),
                Arguments.of("{}\u0000", "text after the end of the JSON value"),
                Arguments.of("\f1", "unexpected a character, expected a value"),
                Arguments.of("1e401", "a number with an exponent beyond ±400"),
                Arguments.of("-1.5E-401", "a number with an exponent beyond ±400"),
                Arguments.of("0e999", "a number with an exponent beyond ±400"),
                Arguments.of("1e999999999", "a number with an exponent beyond ±400"),
                Arguments.of("1e" + "9".repeat(1_000), "a number with an exponent beyond ±400"),
                Arguments.of("9".repeat(65), "a number of more than 64 digits"),
                Arguments.of("-" + "9".repeat(65), "a number of more than 64 digits"),
                Arguments.of("9".repeat(1_000_000), "a number of more than 64 digits"),
                Arguments.of("0." + "0".repeat(64), "a number of more than 64 digits"),
                Arguments.of("1".repeat(32) + "." + "1".repeat(33), "a number of more than 64 digits"),
                Arguments.of("[".repeat(65) + "]".repeat(65), "nested more than 64 deep"),
                Arguments.of("[".repeat(1_000_000), "nested more than 64 deep"),
                Arguments.of("{\"a\":".repeat(65) + "1" + "}".repeat(65), "nested more than 64 deep"));
    }

    @ParameterizedTest
    @MethodSource("malformedTexts")
    @Tag("F4")
    void refusesMalformedText(String text, String reason) {
        assertThat(malformed(text).reason()).isEqualTo(reason);
    }

    static Stream<Arguments> malformedBytes() {
        return Stream.of(
                Arguments.of("continuation alone", bytes(0x80)),
                Arguments.of("cut short", bytes(0xC3)),
                Arguments.of("overlong slash", bytes(0xC0, 0xAF)),
                Arguments.of("overlong NUL", bytes(0xC0, 0x80)),
                Arguments.of("encoded surrogate", bytes(0xED, 0xA0, 0x80)),
                Arguments.of("encoded surrogate pair", bytes(0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80)),
                Arguments.of("over U+10FFFF", bytes(0xF4, 0x90, 0x80, 0x80)),
                Arguments.of("byte FF", bytes(0xFF)),
                Arguments.of("Latin-1", bytes(0xE9)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedBytes")
    @Tag("F4")
    void refusesBytesThatAreNotUtf8(String name, byte[] inside) {
        byte[] text = new byte[inside.length + 2];
        text[0] = '"';
        System.arraycopy(inside, 0, text, 1, inside.length);
        text[text.length - 1] = '"';

        assertThat(StrictJson.parse(text)).as(name).isInstanceOfSatisfying(StrictJson.Malformed.class, fault -> {
            assertThat(fault.reason()).isEqualTo("invalid UTF-8");
            assertThat(fault.column()).isBetween(2, 4);
        });
    }

    @Test
    @Tag("F4")
    void findsInvalidUtf8FarIntoALongText() {
        String text = "\"" + "é".repeat(20_000);
        byte[] bytes = (text + "x\"").getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 2] = (byte) 0xFF;

        assertThat(StrictJson.parse(bytes)).isEqualTo(new StrictJson.Malformed("invalid UTF-8", 1, 20_002));
    }

    @Test
    @Tag("F4")
    void guessesNoOtherEncoding() {
        assertThat(StrictJson.parse("{}".getBytes(StandardCharsets.UTF_16LE))).isInstanceOf(StrictJson.Malformed.class);
        assertThat(StrictJson.parse("{}".getBytes(StandardCharsets.UTF_16BE))).isInstanceOf(StrictJson.Malformed.class);
        assertThat(StrictJson.parse("{}".getBytes(StandardCharsets.UTF_16))).isInstanceOf(StrictJson.Malformed.class);
    }

    @Test
    void acceptsNestingOf64() {
        assertThat(StrictJson.parse("[".repeat(64) + "1" + "]".repeat(64))).isInstanceOf(StrictJson.Valid.class);
    }

    @Test
    void acceptsOneByteOrderMarkAtTheStart() {
        assertThat(valid("\uFEFF{\"a\":1}").get("a")).isEqualTo(IntNode.valueOf(1));
    }

    @Test
    void readsPartOfAnArray() {
        byte[] text = "xx[1]yy".getBytes(StandardCharsets.UTF_8);

        assertThat(StrictJson.parse(text, 2, 3))
                .isEqualTo(new StrictJson.Valid(
                        JsonNodeFactory.instance.arrayNode().add(1)));
    }

    @Test
    @Tag("F4")
    void tellsKeysApartByCase() {
        assertThat(valid("{\"id\":1,\"ID\":2}")).hasSize(2);
    }

    @Test
    void resolvesEscapes() {
        assertThat(valid("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00 é😀\"")
                        .textValue())
                .isEqualTo("\"\\/\b\f\n\r\té😀 é😀");
    }

    @Test
    void keepsOrderOfMembers() {
        assertThat(StrictJson.text(valid("{\"b\":1,\"a\":2,\"c\":3}"))).isEqualTo("{\"b\":1,\"a\":2,\"c\":3}");
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                Arguments.of("0", IntNode.valueOf(0)),
                Arguments.of("-0", IntNode.valueOf(0)),
                Arguments.of("2147483647", IntNode.valueOf(Integer.MAX_VALUE)),
                Arguments.of("2147483648", LongNode.valueOf(2147483648L)),
                Arguments.of("9223372036854775807", LongNode.valueOf(Long.MAX_VALUE)),
                Arguments.of("-9223372036854775808", LongNode.valueOf(Long.MIN_VALUE)),
                Arguments.of(
                        "9223372036854775808",
                        BigIntegerNode.valueOf(new BigDecimal("9223372036854775808").toBigInteger())),
                Arguments.of("9".repeat(64), BigIntegerNode.valueOf(new BigDecimal("9".repeat(64)).toBigInteger())));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void readsIntegersExactly(String text, JsonNode expected) {
        assertThat(valid(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0",
                "0.1",
                "-0.10",
                "1e2",
                "1E+2",
                "1e-2",
                "1e400",
                "1e-400",
                "0e0",
                "1e0000000400",
                "123456789012345678901234567890.1234567890123456789012345678901234",
                "9007199254740993.0",
                "0.1000000000000000055511151231257827",
                "1.7976931348623157e309",
                "1.111111111111111111111111111111111111111111111111111111111111111e-6",
                "0.000000000000000000000000000000000000000000000000000000000000001e-400",
                "1.111111111111111111111111111111111111111111111111111111111111111e-400",
                "1111111111111111111111111111111111111111111111111111111111111111e400",
                "1111111111111111111111111111111111111111111111111111111111111111e-400",
                "0.000000000000000000000000000000000000000000000000000000000000000e400",
                "0e-400",
                "-0.0"
            })
    void keepsTheExactValueOfDecimalsInBothDirections(String text) {
        var read = valid(text);
        String written = StrictJson.text(read);

        assertThat(read).isInstanceOf(DecimalNode.class);
        assertThat(read.decimalValue()).isEqualTo(new BigDecimal(text));
        assertThat(new BigDecimal(written)).isEqualTo(new BigDecimal(text));
        assertThat(valid(written).decimalValue()).isEqualTo(new BigDecimal(text));
    }

    @Test
    void neverExpandsAnExponent() {
        assertThat(StrictJson.text(valid("[1e400,1e-400]"))).isEqualTo("[1E400,1E-400]");
    }

    @Test
    void namesLineAndColumnInCodePoints() {
        assertThat(malformed("{\n  \"😀é\": x}"))
                .isEqualTo(new StrictJson.Malformed("unexpected 'x', expected a value", 2, 9));
        assertThat(malformed("\uFEFFx").describe()).isEqualTo("line 1, column 1: unexpected 'x', expected a value");
    }

    @Test
    void pointsAtTheSecondOfTwoEqualKeys() {
        assertThat(malformed("{\"a\":1,\n\"a\":2}")).isEqualTo(new StrictJson.Malformed("duplicate key", 2, 1));
    }

    @Test
    void refusesUnpairedSurrogatesInDecodedText() {
        assertThat(malformed("[\"é\uD83D\"]")).isEqualTo(new StrictJson.Malformed("unpaired surrogate", 1, 4));
        assertThat(malformed("[\"\uDE00\uD83D\"]")).isEqualTo(new StrictJson.Malformed("unpaired surrogate", 1, 3));
    }

    @Test
    void writesStringsWithoutLineBreaksOrControlCharacters() {
        String text = StrictJson.text(TextNode.valueOf("a\"\\/\n\r\t\b\u0001\u001f\u007fé😀\u2028"));

        assertThat(text).isEqualTo("\"a\\\"\\\\/\\n\\r\\t\\u0008\\u0001\\u001f\\u007fé😀\u2028\"");
    }

    static Stream<JsonNode> unwritable() {
        var deep = JsonNodeFactory.instance.arrayNode();
        ArrayNode inner = deep;
        for (int i = 0; i < 10_000; i++) {
            inner = inner.addArray();
        }
        return Stream.of(
                DoubleNode.valueOf(Double.NaN),
                DoubleNode.valueOf(Double.POSITIVE_INFINITY),
                FloatNode.valueOf(Float.NEGATIVE_INFINITY),
                TextNode.valueOf("\uD83D"),
                TextNode.valueOf("\uDE00x"),
                JsonNodeFactory.instance.objectNode().put("\uD83D", 1),
                BinaryNode.valueOf(new byte[] {1}),
                new POJONode("x"),
                MissingNode.getInstance(),
                deep);
    }

    @ParameterizedTest
    @MethodSource("unwritable")
    void refusesToWriteWhatJsonCannotSay(JsonNode value) {
        assertThatThrownBy(() -> StrictJson.bytes(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void neverExpandsADecimalOfOthers() {
        var huge = JsonNodeFactory.instance.arrayNode();
        huge.add(new BigDecimal("1e999999999")).add(new BigDecimal("1e-999999999"));

        assertThat(StrictJson.text(huge)).isEqualTo("[1E999999999,1E-999999999]");
    }

    @Test
    void writesFiniteDoublesOfOthers() {
        assertThat(StrictJson.text(DoubleNode.valueOf(1.5e10))).isEqualTo("1.5E10");
    }

    private static JsonNode valid(String text) {
        var parsed = StrictJson.parse(text);
        assertThat(parsed).isInstanceOf(StrictJson.Valid.class);
        assertThat(StrictJson.parse(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(parsed);
        return ((StrictJson.Valid) parsed).value();
    }

    private static StrictJson.Malformed malformed(String text) {
        var parsed = StrictJson.parse(text);
        assertThat(parsed).isInstanceOf(StrictJson.Malformed.class);
        return (StrictJson.Malformed) parsed;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
