package dev.postern.cli.render;

import dev.postern.base.VisibleText;

/// Text of unknown origin on its way to a person or into JSON (CAT-5).
public final class Untrusted {
    private Untrusted() {}

    /// Keeps line ends and tabs; every other control, bidirectional or invisible character becomes an escape.
    public static String text(String text) {
        return VisibleText.block(text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n"));
    }

    /// As [#text(String)], on one line: every run of line ends and tabs becomes one blank.
    public static String line(String text) {
        return VisibleText.of(oneLine(text));
    }

    /// JSON text whose strings hold nothing unseen: such characters become four-digit escapes. The line feeds
    /// of the layout stay.
    static String json(String json) {
        int at = 0;
        while (at < json.length() && plain(json.charAt(at))) {
            at++;
        }
        if (at == json.length()) {
            return json;
        }
        var safe = new StringBuilder(json.length() + 64).append(json, 0, at);
        while (at < json.length()) {
            int codePoint = json.codePointAt(at);
            int next = at + Character.charCount(codePoint);
            if (codePoint == '\n' || !unseen(codePoint)) {
                safe.appendCodePoint(codePoint);
            } else {
                for (int unit = at; unit < next; unit++) {
                    escape(json.charAt(unit), safe);
                }
            }
            at = next;
        }
        return safe.toString();
    }

    private static boolean plain(char c) {
        return (c >= ' ' && c < 0x7F) || c == '\n';
    }

    private static void escape(char c, StringBuilder to) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            to.append(Character.forDigit((c >> shift) & 0xF, 16));
        }
    }

    private static String oneLine(String text) {
        boolean one = true;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            one &= c != '\n' && c != '\r' && c != '\t';
        }
        if (one) {
            return text;
        }
        var line = new StringBuilder(text.length());
        boolean gap = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\n' || c == '\r' || c == '\t') {
                gap = true;
                continue;
            }
            if (gap && !line.isEmpty() && c != ' ') {
                line.append(' ');
            }
            gap = false;
            line.append(c);
        }
        return line.toString();
    }

    private static boolean unseen(int codePoint) {
        var alone = Character.toString(codePoint);
        return !VisibleText.of(alone).equals(alone);
    }
}
