package dev.postern.secret;

import java.util.Arrays;

/// A text as it reads after some decoding, with the way back: each unit knows the piece of the source that it
/// stands for. Pieces follow each other and never overlap, except that the two units of a surrogate pair may
/// share one. Confined to one call.
final class View {
    private final char[] units;
    private final int[] from;
    private final int[] to;
    private int length;
    private boolean gaps;

    View(int capacity) {
        units = new char[capacity];
        from = new int[capacity];
        to = new int[capacity];
    }

    static View of(String text) {
        var view = new View(text.length());
        for (int i = 0; i < text.length(); i++) {
            view.add(text.charAt(i), i, i + 1);
        }
        return view;
    }

    void add(char unit, int sourceFrom, int sourceTo) {
        units[length] = unit;
        from[length] = sourceFrom;
        to[length] = sourceTo;
        length++;
    }

    /// Adds the unit at `index` of `source` as it is.
    void copy(View source, int index) {
        add(source.units[index], source.from[index], source.to[index]);
    }

    /// Adds what the units of `source` from `first` to before `after` spell.
    void decoded(int codePoint, View source, int first, int after) {
        int start = source.from[first];
        int end = source.to[after - 1];
        for (int i = first; i + 1 < after; i++) {
            gaps |= source.to[i] != source.from[i + 1];
        }
        if (Character.isBmpCodePoint(codePoint)) {
            add((char) codePoint, start, end);
        } else {
            add(Character.highSurrogate(codePoint), start, end);
            add(Character.lowSurrogate(codePoint), start, end);
        }
    }

    /// Some decoded unit was put together from pieces with a blank between them, which may not belong together.
    boolean hasGaps() {
        return gaps;
    }

    int length() {
        return length;
    }

    String text() {
        return new String(units, 0, length);
    }

    char unit(int index) {
        return units[index];
    }

    /// Where the piece of the source behind this unit starts.
    int from(int index) {
        return from[index];
    }

    /// Where the piece of the source behind this unit ends, exclusive.
    int to(int index) {
        return to[index];
    }

    boolean matches(int index, char[] pattern) {
        return pattern.length <= length - index
                && Arrays.equals(units, index, index + pattern.length, pattern, 0, pattern.length);
    }

    /// Whether the last `count` units of `pattern` stand at `index`.
    boolean matchesEnd(int index, char[] pattern, int count) {
        return Arrays.equals(units, index, index + count, pattern, pattern.length - count, pattern.length);
    }

    /// This view without the units that wrap or space a text; the same object when there are none.
    View withoutBlanks() {
        int first = 0;
        while (first < length && !blankAt(first)) {
            first++;
        }
        if (first == length) {
            return this;
        }
        var bare = new View(length);
        for (int i = 0; i < length; i++) {
            if (!blankAt(i)) {
                bare.add(units[i], from[i], to[i]);
            }
        }
        return bare;
    }

    private boolean blankAt(int index) {
        char unit = units[index];
        return unit < 0x7F ? unit <= ' ' : blankBeyondAscii(index, unit);
    }

    private boolean blankBeyondAscii(int index, char unit) {
        if (Character.isHighSurrogate(unit) && index + 1 < length && Character.isLowSurrogate(units[index + 1])) {
            return isBlank(Character.toCodePoint(unit, units[index + 1]));
        }
        if (Character.isLowSurrogate(unit) && index > 0 && Character.isHighSurrogate(units[index - 1])) {
            return isBlank(Character.toCodePoint(units[index - 1], unit));
        }
        return isBlank(unit);
    }

    /// White space, and what shows nothing and so hides a break as well: controls, format characters (zero-width
    /// spaces, soft hyphens, tags), variation selectors.
    static boolean isBlank(int c) {
        if (c < 0x7F) {
            return c <= ' ';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
        };
    }
}
