package dev.postern.cli.argument;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types that a JSON Schema tells apart.
enum JsonType {
    STRING("a string"),
    INTEGER("an integer"),
    NUMBER("a number"),
    BOOLEAN("true or false"),
    ARRAY("an array"),
    OBJECT("an object"),
    NULL("null");

    private final String words;

    JsonType(String words) {
        this.words = words;
    }

    /// For messages: `an integer`.
    String words() {
        return words;
    }

    /// The types that `type: NAME` admits; null when there is no such type.
    static @Nullable Set<JsonType> named(String name) {
        return switch (name) {
            case "string" -> EnumSet.of(STRING);
            case "integer" -> EnumSet.of(INTEGER);
            case "number" -> EnumSet.of(INTEGER, NUMBER);
            case "boolean" -> EnumSet.of(BOOLEAN);
            case "array" -> EnumSet.of(ARRAY);
            case "object" -> EnumSet.of(OBJECT);
            case "null" -> EnumSet.of(NULL);
            default -> null;
        };
    }

    /// The type of a value. A number without a fraction is an integer, however it is written.
    static JsonType of(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> STRING;
            case NUMBER ->
                value.isIntegralNumber()
                                || value.decimalValue().stripTrailingZeros().scale() <= 0
                        ? INTEGER
                        : NUMBER;
            case BOOLEAN -> BOOLEAN;
            case ARRAY -> ARRAY;
            case OBJECT -> OBJECT;
            case NULL, MISSING -> NULL;
            case BINARY, POJO -> throw new IllegalArgumentException("Not JSON: " + value.getNodeType());
        };
    }
}
