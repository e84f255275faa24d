package dev.postern.call;

import dev.postern.wire.JsonSize;
import java.text.BreakIterator;
import java.util.Locale;

/// Shortens text to a number of bytes as a JSON string writes it.
final class TextCut {
    /// Graphemes longer than this many chars are cut inside: bounds the work, and a hostile text may be one
    /// grapheme.
    private static final int LOOK_BACK = 128;

    private TextCut() {}

    /// The longest beginning of `text` that takes at most `room` bytes inside the quotes of a JSON string,
    /// ending on a code point, and between two graphemes where one ends within the last [#LOOK_BACK] chars
    /// (RES-1).
    static String toFit(String text, long room) {
        int end = 0;
        long bytes = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += JsonSize.ofCodePoint(point);
            if (bytes > room) {
                return text.substring(0, graphemeEnd(text, end));
            }
            end += Character.charCount(point);
        }
        return text;
    }

    private static int graphemeEnd(String text, int end) {
        int from = Math.max(0, end - LOOK_BACK);
        int to = Math.min(text.length(), end + LOOK_BACK);
        var graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
        graphemes.setText(text.substring(from, to));
        if (graphemes.isBoundary(end - from)) {
            return end;
        }
        int before = graphemes.preceding(end - from);
        return (before <= 0 && from > 0) || before == BreakIterator.DONE ? end : from + before;
    }
}
