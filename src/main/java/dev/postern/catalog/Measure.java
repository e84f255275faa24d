package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// The size of a tree in JSON values, and what in it no later step could handle.
///
/// @param values counts every object, array, string, number, boolean and null (LIM-2: nodes)
/// @param fault why the tree can't be handled, or null
record Measure(long values, @Nullable String fault) {
    /// More than any tree off the wire has (WIR-3: 64), and little enough for recursion everywhere else.
    static final int MAX_NESTING = 128;

    static Measure of(JsonNode node) {
        var walk = new Walk();
        walk.visit(node, 1);
        return new Measure(walk.values, walk.fault);
    }

    private static final class Walk {
        private long values;
        private @Nullable String fault;

        void visit(JsonNode node, int nesting) {
            values++;
            if (nesting > MAX_NESTING) {
                fault = "nests more than " + MAX_NESTING + " levels of JSON";
                return;
            }
            switch (node.getNodeType()) {
                case OBJECT, ARRAY -> {
                    for (JsonNode child : node) {
                        visit(child, nesting + 1);
                    }
                }
                case NUMBER -> {
                    if (!Numbers.bounded(node)) {
                        fault = "holds a number with more than " + Numbers.MAX_DIGITS
                                + " digits or an exponent beyond ±" + Numbers.MAX_EXPONENT;
                    }
                }
                case BOOLEAN, NULL, STRING -> {}
                case BINARY, MISSING, POJO -> fault = "holds something that is no JSON";
            }
        }
    }
}
