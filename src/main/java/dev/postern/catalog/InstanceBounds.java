package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.catalog.ToolSchema.Violation;
import org.jspecify.annotations.Nullable;

/// Bounds an instance before any schema sees it. Off the wire and off the command line it is within them
/// already (WIR-3); here they are what makes validation safe by itself: `1e999999999` alone can take a
/// gigabyte to compare.
final class InstanceBounds {
    /// As deep as JSON is accepted at all.
    static final int MAX_DEPTH = 64;

    static final int MAX_VALUES = 1 << 20;

    /// The largest frame there can be, in UTF-16 code units.
    static final int MAX_TEXT = 16 << 20;

    private final Quoting quoting;
    private int values;

    private InstanceBounds(Quoting quoting) {
        this.quoting = quoting;
    }

    /// Why `instance` can't be checked, or null.
    static @Nullable Violation check(JsonNode instance, Quoting quoting) {
        return new InstanceBounds(quoting).visit(instance, At.ROOT, 1);
    }

    private @Nullable Violation visit(JsonNode node, At at, int depth) {
        if (++values > MAX_VALUES) {
            return violation(At.ROOT, "holds more than " + MAX_VALUES + " JSON values");
        }
        if (depth > MAX_DEPTH) {
            return violation(At.ROOT, "nests deeper than " + MAX_DEPTH + " levels");
        }
        return switch (node.getNodeType()) {
            case BOOLEAN, NULL -> null;
            case NUMBER ->
                Numbers.bounded(node)
                        ? null
                        : violation(
                                at,
                                "is a number with more than " + Numbers.MAX_DIGITS + " digits or an exponent beyond ±"
                                        + Numbers.MAX_EXPONENT);
            case STRING ->
                node.textValue().length() <= MAX_TEXT
                        ? null
                        : violation(at, "is longer than " + MAX_TEXT + " characters");
            case ARRAY -> array(node, at, depth);
            case OBJECT -> object(node, at, depth);
            case BINARY, MISSING, POJO -> violation(at, "is no JSON value");
        };
    }

    private @Nullable Violation array(JsonNode node, At at, int depth) {
        for (int i = 0; i < node.size(); i++) {
            Violation violation = visit(node.get(i), at.child(i), depth + 1);
            if (violation != null) {
                return violation;
            }
        }
        return null;
    }

    private @Nullable Violation object(JsonNode node, At at, int depth) {
        for (var member : node.properties()) {
            Violation violation = visit(member.getValue(), at.child(member.getKey()), depth + 1);
            if (violation != null) {
                return violation;
            }
        }
        return null;
    }

    private Violation violation(At at, String message) {
        return new Violation(at.pointer(quoting), message);
    }
}
