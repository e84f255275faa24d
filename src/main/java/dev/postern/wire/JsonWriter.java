package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;

/// Writes a tree as compact JSON. Control characters are always escaped, so the text has no line break.
/// Numbers are written by their exact value and never expanded: `1E400` stays five characters. For one use.
final class JsonWriter {
    /// Trees that were read are at most 64 deep; the messages around them add a few levels.
    private static final int MAX_DEPTH = 2 * StrictJson.MAX_DEPTH;

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder();

    String write(JsonNode value) {
        value(value, 0);
        return out.toString();
    }

    private void value(JsonNode value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a tree more than " + MAX_DEPTH + " deep can't be written");
        }
        switch (value.getNodeType()) {
            case OBJECT -> object(value, depth);
            case ARRAY -> array(value, depth);
            case STRING -> string(value.textValue());
            case NUMBER -> out.append(number(value));
            case BOOLEAN -> out.append(value.booleanValue());
            case NULL -> out.append("null");
            case BINARY, POJO, MISSING ->
                throw new IllegalArgumentException("a node of type " + value.getNodeType() + " has no JSON form");
        }
    }

    private void object(JsonNode object, int depth) {
        out.append('{');
        boolean first = true;
        for (var member : object.properties()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            string(member.getKey());
            out.append(':');
            value(member.getValue(), depth + 1);
        }
        out.append('}');
    }

    private void array(JsonNode array, int depth) {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            value(array.get(i), depth + 1);
        }
        out.append(']');
    }

    static String number(JsonNode number) {
        return switch (number.numberType()) {
            case INT, LONG -> Long.toString(number.longValue());
            case BIG_INTEGER -> number.bigIntegerValue().toString();
            case BIG_DECIMAL -> decimal(number.decimalValue());
            case FLOAT, DOUBLE -> {
                if (!Double.isFinite(number.doubleValue())) {
                    throw new IllegalArgumentException("JSON has no form for " + number.doubleValue());
                }
                yield number.asText();
            }
        };
    }

    /// Keeps the scale, and keeps within the bounds of [StrictJson] whatever came from within them:
    /// `BigDecimal.toString` would make an exponent of 463 or a number of 70 digits out of some.
    private static String decimal(BigDecimal value) {
        int point = value.scale();
        int beyond = point - StrictJson.MAX_EXPONENT;
        if (0 <= point && point < StrictJson.MAX_DIGITS) {
            return value.toPlainString();
        }
        if (0 < beyond && beyond < StrictJson.MAX_DIGITS) {
            return new BigDecimal(value.unscaledValue(), beyond).toPlainString() + "E-" + StrictJson.MAX_EXPONENT;
        }
        return value.unscaledValue() + "E" + -(long) point;
    }

    private void string(String text) {
        if (StrictJson.unpairedSurrogate(text) >= 0) {
            throw new IllegalArgumentException("a string with an unpaired surrogate can't be written");
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || c == 0x7F) {
                        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
