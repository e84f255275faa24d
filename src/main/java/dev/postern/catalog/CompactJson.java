package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.VisibleText;

/// JSON without white space, members in their own order, numbers as Jackson holds them. It does without
/// Jackson's serialisers, which cost a short command more time than the rest of its work.
public final class CompactJson {
    private CompactJson() {}

    public static String text(JsonNode node) {
        var out = new StringBuilder();
        write(node, out);
        return out.toString();
    }

    private static void write(JsonNode node, StringBuilder out) {
        if (node.isObject()) {
            char before = '{';
            for (var member : node.properties()) {
                quote(member.getKey(), out.append(before));
                write(member.getValue(), out.append(':'));
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (node.isArray()) {
            char before = '[';
            for (JsonNode element : node) {
                write(element, out.append(before));
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (node.isTextual()) {
            quote(node.textValue(), out);
        } else {
            out.append(node.asText());
        }
    }

    /// A JSON string as RFC 8785 section 3.2.2.2 wants it: the seven short escapes, six characters for other
    /// control characters, everything else as it is. Surrogates without a partner are escaped, so that they
    /// survive encoding.
    static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        escape(c, out);
                    } else if (!Character.isSurrogate(c)) {
                        out.append(c);
                    } else if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else {
                        escape(c, out);
                    }
                }
            }
        }
        out.append('"');
    }

    static void escape(char c, StringBuilder out) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(Character.forDigit((c >> shift) & 0xF, 16));
        }
    }

    /// The same JSON with escapes of its own for what a reader can't see, all of which is inside strings.
    public static String visible(String json) {
        var out = new StringBuilder(json.length() + 16);
        for (int i = 0; i < json.length(); ) {
            int c = json.codePointAt(i);
            int next = i + Character.charCount(c);
            if (VisibleText.shows(c)) {
                out.appendCodePoint(c);
            } else {
                for (int unit = i; unit < next; unit++) {
                    escape(json.charAt(unit), out);
                }
            }
            i = next;
        }
        return out.toString();
    }
}
