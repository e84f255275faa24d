package dev.postern.catalog;

import dev.postern.base.VisibleText;
import java.util.function.UnaryOperator;

/// Text of a server made fit for a message: redacted first and shortened afterwards, since a secret that was cut is
/// found by nobody (SEC-5). Untrusted all the same.
///
/// @param redact replaces every secret that the server was given
record Quoting(UnaryOperator<String> redact) {
    private static final int MAX_PLACE = 120;
    private static final int MAX_REFERENCE = 100;

    /// At most `limit` code points, on one line and visible.
    String line(String text, int limit) {
        return VisibleText.line(redact.apply(text), limit);
    }

    /// At most `limit` code points as they are.
    String cut(String text, int limit) {
        return VisibleText.cut(redact.apply(text), limit);
    }

    /// The place in a schema that a JSON pointer names. Each name is redacted as it was before it became part of
    /// the pointer, which writes `/` and `~` in its own way.
    String place(String pointer) {
        return pointer.isEmpty() ? "the root" : line(names(pointer), MAX_PLACE);
    }

    /// A reference that leads anywhere.
    String reference(String reference) {
        return line(names(reference), MAX_REFERENCE);
    }

    private String names(String pointer) {
        var out = new StringBuilder(pointer.length());
        int from = 0;
        while (from <= pointer.length()) {
            int slash = pointer.indexOf('/', from);
            int end = slash < 0 ? pointer.length() : slash;
            String written = pointer.substring(from, end);
            String name = JsonPointers.unescape(written);
            String shown = redact.apply(name);
            out.append(from == 0 ? "" : "/").append(shown.equals(name) ? written : JsonPointers.escape(shown));
            from = end + 1;
        }
        return out.toString();
    }

    /// A name as a part of a JSON pointer.
    String name(String name) {
        return JsonPointers.escape(redact.apply(name));
    }
}
