package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;

/// How many bytes a tree takes as [StrictJson#bytes] writes it, counted without writing it. Every limit on JSON is
/// about this size.
public final class JsonSize {
    private JsonSize() {}

    /// Linear in the tree, and recursive: the tree's depth is bounded by the parser. A surrogate without its
    /// partner, which can't be written, counts as three bytes.
    ///
    /// @throws IllegalArgumentException for what has no form in JSON
    public static long of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> object(node);
            case ARRAY -> array(node);
            case STRING -> ofString(node.textValue());
            case NUMBER -> JsonWriter.number(node).length();
            case BOOLEAN -> node.booleanValue() ? 4 : 5;
            case NULL -> 4;
            case BINARY, POJO, MISSING ->
                throw new IllegalArgumentException("a node of type " + node.getNodeType() + " has no JSON form");
        };
    }

    private static long object(JsonNode node) {
        long sum = 2;
        for (var property : node.properties()) {
            sum += ofString(property.getKey()) + 1 + of(property.getValue()) + 1;
        }
        return node.isEmpty() ? sum : sum - 1;
    }

    private static long array(JsonNode node) {
        long sum = 2;
        for (var element : node) {
            sum += of(element) + 1;
        }
        return node.isEmpty() ? sum : sum - 1;
    }

    /// The size with both quotes.
    public static long ofString(String text) {
        long sum = 2;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            sum += ofCodePoint(point);
            i += Character.charCount(point);
        }
        return sum;
    }

    /// The bytes of one code point inside the quotes, escaped where [JsonWriter] escapes it.
    public static int ofCodePoint(int point) {
        return switch (point) {
            case '"', '\\', '\t', '\n', '\r' -> 2;
            default -> {
                if (point < 0x20 || point == 0x7F) {
                    yield 6;
                }
                if (point < 0x80) {
                    yield 1;
                }
                if (point < 0x800) {
                    yield 2;
                }
                yield point < 0x10000 ? 3 : 4;
            }
        };
    }
}
