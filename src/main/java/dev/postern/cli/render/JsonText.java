package dev.postern.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.wire.StrictJson;

/// Writes trees as JSON that is safe to show: characters that would not be seen are written as JSON escapes, so
/// the value stays exact and no terminal acts on it. Numbers keep their exact value (WIR-3).
public final class JsonText {
    /// What is shorter stands on one line, where people read it.
    private static final int LINE = 72;

    private final StringBuilder text = new StringBuilder();

    private JsonText() {}

    /// On one line, without blanks.
    public static String compact(JsonNode node) {
        return written(node, false);
    }

    /// For people: short objects and arrays on one line, longer ones indented.
    public static String pretty(JsonNode node) {
        var writer = new JsonText();
        writer.indented(node, 0, 0);
        return Untrusted.json(writer.text.toString());
    }

    private static String written(JsonNode node, boolean blanks) {
        var writer = new JsonText();
        writer.line(node, blanks);
        return Untrusted.json(writer.text.toString());
    }

    private void indented(JsonNode node, int depth, int column) {
        if (node.isContainerNode() && !node.isEmpty()) {
            var line = written(node, true);
            if (column + line.length() > LINE) {
                members(node, depth + 1);
                return;
            }
        }
        line(node, true);
    }

    private void members(JsonNode node, int depth) {
        text.append(node.isObject() ? '{' : '[');
        boolean first = true;
        if (node.isObject()) {
            for (var member : node.properties()) {
                lineStart(first, depth);
                first = false;
                int before = text.length();
                string(member.getKey());
                text.append(": ");
                indented(member.getValue(), depth, 2 * depth + text.length() - before);
            }
        } else {
            for (var element : node) {
                lineStart(first, depth);
                first = false;
                indented(element, depth, 2 * depth);
            }
        }
        text.append('\n').repeat("  ", depth - 1).append(node.isObject() ? '}' : ']');
    }

    private void lineStart(boolean first, int depth) {
        text.append(first ? "\n" : ",\n").repeat("  ", depth);
    }

    private void line(JsonNode node, boolean blanks) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                text.append('{');
                boolean first = true;
                for (var member : node.properties()) {
                    text.append(first ? "" : blanks ? ", " : ",");
                    first = false;
                    string(member.getKey());
                    text.append(blanks ? ": " : ":");
                    line(member.getValue(), blanks);
                }
                text.append('}');
            }
            case ARRAY -> {
                text.append('[');
                boolean first = true;
                for (var element : node) {
                    text.append(first ? "" : blanks ? ", " : ",");
                    first = false;
                    line(element, blanks);
                }
                text.append(']');
            }
            case STRING -> string(node.textValue());
            case NUMBER -> text.append(StrictJson.text(node));
            case BOOLEAN -> text.append(node.booleanValue());
            case NULL, MISSING -> text.append("null");
            case BINARY, POJO -> throw new IllegalArgumentException("Not JSON: " + node.getNodeType());
        }
    }

    /// Half a surrogate pair is left to [Untrusted#json], which escapes it.
    private void string(String value) {
        text.append('"');
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> text.append(c);
            }
        }
        text.append('"');
    }
}
