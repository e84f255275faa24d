package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// Reads one JSON value by the grammar of RFC 8259 and nothing beyond it. The bytes are known to be valid
/// UTF-8, so surrogates can only come from escapes. Recursion ends at [StrictJson#MAX_DEPTH]. For one use.
final class JsonReader {
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] text;
    private final int end;
    private int at;

    JsonReader(byte[] text, int start, int end) {
        this.text = text;
        this.at = start;
        this.end = end;
    }

    JsonNode document() throws Fault {
        JsonNode value = value(0);
        skipWhiteSpace();
        if (at < end) {
            throw new Fault("text after the end of the JSON value", at);
        }
        return value;
    }

    private JsonNode value(int depth) throws Fault {
        skipWhiteSpace();
        return switch (peek("a value")) {
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case '"' -> TextNode.valueOf(string());
            case 't' -> literal(TRUE, BooleanNode.TRUE);
            case 'f' -> literal(FALSE, BooleanNode.FALSE);
            case 'n' -> literal(NULL, NullNode.getInstance());
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected("a value");
        };
    }

    private ObjectNode object(int depth) throws Fault {
        enter(depth);
        var object = JsonNodeFactory.instance.objectNode();
        skipWhiteSpace();
        if (skip('}')) {
            return object;
        }
        do {
            skipWhiteSpace();
            int start = at;
            if (peek("a key in double quotes") != '"') {
                throw unexpected("a key in double quotes");
            }
            String key = string();
            if (object.has(key)) {
                throw new Fault("duplicate key", start);
            }
            skipWhiteSpace();
            if (!skip(':')) {
                throw unexpected("':' after the key");
            }
            object.set(key, value(depth));
            skipWhiteSpace();
        } while (skip(','));
        if (!skip('}')) {
            throw unexpected("',' or '}'");
        }
        return object;
    }

    private ArrayNode array(int depth) throws Fault {
        enter(depth);
        var array = JsonNodeFactory.instance.arrayNode();
        skipWhiteSpace();
        if (skip(']')) {
            return array;
        }
        do {
            array.add(value(depth));
            skipWhiteSpace();
        } while (skip(','));
        if (!skip(']')) {
            throw unexpected("',' or ']'");
        }
        return array;
    }

    /// Steps over the opening bracket that stands here.
    private void enter(int depth) throws Fault {
        if (depth > StrictJson.MAX_DEPTH) {
            throw new Fault("nested more than " + StrictJson.MAX_DEPTH + " deep", at);
        }
        at++;
    }

    private JsonNode literal(byte[] word, JsonNode value) throws Fault {
        for (byte letter : word) {
            if (at == end || text[at] != letter) {
                throw unexpected("true, false or null");
            }
            at++;
        }
        return value;
    }

    private String string() throws Fault {
        int start = ++at;
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                return new String(text, start, at++ - start, StandardCharsets.UTF_8);
            }
            if (b == '\\') {
                return escapedString(start);
            }
            refuseControl(b);
            at++;
        }
        throw unexpected("'\"' at the end of the string");
    }

    private String escapedString(int start) throws Fault {
        var built = new StringBuilder();
        int from = start;
        while (at < end) {
            byte b = text[at];
            if (b != '"' && b != '\\') {
                refuseControl(b);
                at++;
                continue;
            }
            built.append(new String(text, from, at - from, StandardCharsets.UTF_8));
            if (b == '"') {
                at++;
                return built.toString();
            }
            escape(built);
            from = at;
        }
        throw unexpected("'\"' at the end of the string");
    }

    private void refuseControl(byte b) throws Fault {
        if (b >= 0 && b < 0x20) {
            throw new Fault("unescaped control character in a string", at);
        }
    }

    private void escape(StringBuilder into) throws Fault {
        int start = at++;
        int c = peek("an escape");
        at++;
        switch (c) {
            case '"', '\\', '/' -> into.append((char) c);
            case 'b' -> into.append('\b');
            case 'f' -> into.append('\f');
            case 'n' -> into.append('\n');
            case 'r' -> into.append('\r');
            case 't' -> into.append('\t');
            case 'u' -> unicodeEscape(into, start);
            default -> throw new Fault("unknown escape in a string", start);
        }
    }

    private void unicodeEscape(StringBuilder into, int start) throws Fault {
        char first = fourHexDigits();
        into.append(first);
        if (!Character.isSurrogate(first)) {
            return;
        }
        boolean followed = end - at >= 2 && text[at] == '\\' && text[at + 1] == 'u';
        if (Character.isLowSurrogate(first) || !followed) {
            throw new Fault("unpaired surrogate", start);
        }
        at += 2;
        char second = fourHexDigits();
        if (!Character.isLowSurrogate(second)) {
            throw new Fault("unpaired surrogate", start);
        }
        into.append(second);
    }

    private char fourHexDigits() throws Fault {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek("four hexadecimal digits"), 16);
            if (digit < 0) {
                throw unexpected("four hexadecimal digits");
            }
            value = value << 4 | digit;
            at++;
        }
        return (char) value;
    }

    /// Judges a number by its text before any number is made of it.
    private JsonNode number() throws Fault {
        int start = at;
        skip('-');
        int digits = 1;
        if (!skip('0')) {
            digits = digits(start, 0);
        }
        boolean integer = true;
        if (skip('.')) {
            integer = false;
            digits(start, digits);
        }
        if (skip('e') || skip('E')) {
            integer = false;
            exponent(start);
        }
        var written = new String(text, start, at - start, StandardCharsets.ISO_8859_1);
        return integer ? integerNode(written) : DecimalNode.valueOf(new BigDecimal(written));
    }

    /// Steps over at least one digit.
    ///
    /// @param seen the digits of this number that were stepped over before
    /// @return the digits of this number so far
    private int digits(int start, int seen) throws Fault {
        int count = seen;
        while (at < end && isDigit(text[at])) {
            if (++count > StrictJson.MAX_DIGITS) {
                throw new Fault("a number of more than " + StrictJson.MAX_DIGITS + " digits", start);
            }
            at++;
        }
        if (count == seen) {
            throw unexpected("a digit");
        }
        return count;
    }

    private void exponent(int start) throws Fault {
        if (!skip('+')) {
            skip('-');
        }
        if (!isDigit(peek("a digit"))) {
            throw unexpected("a digit");
        }
        int value = 0;
        while (at < end && isDigit(text[at])) {
            value = value * 10 + (text[at] - '0');
            if (value > StrictJson.MAX_EXPONENT) {
                throw new Fault("a number with an exponent beyond ±" + StrictJson.MAX_EXPONENT, start);
            }
            at++;
        }
    }

    private static JsonNode integerNode(String written) {
        if (written.length() > 18) {
            var big = new BigInteger(written);
            return big.bitLength() < Long.SIZE ? LongNode.valueOf(big.longValue()) : BigIntegerNode.valueOf(big);
        }
        long value = Long.parseLong(written);
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    private void skipWhiteSpace() {
        while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) {
            at++;
        }
    }

    private boolean skip(char expected) {
        if (at < end && text[at] == expected) {
            at++;
            return true;
        }
        return false;
    }

    private int peek(String expected) throws Fault {
        if (at == end) {
            throw unexpected(expected);
        }
        return text[at];
    }

    private Fault unexpected(String expected) {
        if (at >= end) {
            return new Fault("the text ends too early, expected " + expected, end);
        }
        byte b = text[at];
        String seen = b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "a character";
        return new Fault("unexpected " + seen + ", expected " + expected, at);
    }

    /// Unwinds the recursion; never leaves this package.
    static final class Fault extends Exception {
        final String reason;
        final int offset;

        Fault(String reason, int offset) {
            super(reason, null, false, false);
            this.reason = reason;
            this.offset = offset;
        }
    }
}
