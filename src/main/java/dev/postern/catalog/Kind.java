package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;

/// The seven types of JSON Schema, as bits of a set.
enum Kind {
    NULL("null", 1),
    BOOLEAN("boolean", 2),
    OBJECT("object", 4),
    ARRAY("array", 8),
    NUMBER("number", 16),
    STRING("string", 32),
    /// Every integer is a number too.
    INTEGER("integer", 64);

    private final String text;
    private final int bit;

    Kind(String text, int bit) {
        this.text = text;
        this.bit = bit;
    }

    String text() {
        return text;
    }

    /// The set that a value of `type` names: a type or a non-empty list of them. 0 when it is neither.
    static int maskOf(JsonNode type) {
        if (type.isTextual()) {
            return bitOf(type.textValue());
        }
        int mask = 0;
        if (type.isArray()) {
            for (JsonNode one : type) {
                int bit = one.isTextual() ? bitOf(one.textValue()) : 0;
                if (bit == 0) {
                    return 0;
                }
                mask |= bit;
            }
        }
        return mask;
    }

    private static int bitOf(String name) {
        for (Kind kind : values()) {
            if (kind.text.equals(name)) {
                return kind.bit;
            }
        }
        return 0;
    }

    /// The most specific type of an instance: INTEGER for `1.0` as for `1`.
    static Kind of(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> ARRAY;
            case BOOLEAN -> BOOLEAN;
            case NUMBER -> Numbers.integral(value) ? INTEGER : NUMBER;
            case OBJECT -> OBJECT;
            case STRING -> STRING;
            case NULL -> NULL;
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("no JSON: " + value.getNodeType());
        };
    }

    boolean in(int mask) {
        return (mask & bit) != 0 || (this == INTEGER && (mask & NUMBER.bit) != 0);
    }

    /// For messages: `string or null`.
    static String names(int mask) {
        var out = new StringBuilder();
        for (Kind kind : values()) {
            if ((mask & kind.bit) != 0) {
                out.append(out.isEmpty() ? "" : " or ").append(kind.text);
            }
        }
        return out.toString();
    }
}
