package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;

/// Equality of JSON values as JSON Schema has it: `1` is `1.0`, at any depth, and the order of members means
/// nothing.
final class SameJson {
    private SameJson() {}

    static boolean test(Evaluation run, JsonNode a, JsonNode b) {
        run.spend(1);
        if (a.getNodeType() != b.getNodeType()) {
            return false;
        }
        if (a.isNumber()) {
            return Numbers.same(a, b);
        }
        if (!a.isContainerNode()) {
            return a.equals(b);
        }
        if (a.size() != b.size()) {
            return false;
        }
        return a.isArray() ? sameElements(run, a, b) : sameMembers(run, a, b);
    }

    private static boolean sameElements(Evaluation run, JsonNode a, JsonNode b) {
        for (int i = 0; i < a.size(); i++) {
            if (!test(run, a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameMembers(Evaluation run, JsonNode a, JsonNode b) {
        for (var member : a.properties()) {
            JsonNode other = b.get(member.getKey());
            if (other == null || !test(run, member.getValue(), other)) {
                return false;
            }
        }
        return true;
    }
}
