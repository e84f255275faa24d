package dev.postern.secret;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A text as it reads after some decoding, with the way back: each unit knows the piece of the source that it
/// stands for. Pieces follow each other and never overlap, except that the two units of a surrogate pair may
/// share one. A text that was not decoded costs its units alone. Confined to one call, and searched only when
/// complete.
final class View {
    /// What a text holds that is not plain, as bits: a blank, or a unit that an escape can start with.
    static final int BLANK = 1;

    static final int BACKSLASH = 2;
    static final int PERCENT = 4;
    static final int AMPERSAND = 8;
    static final int PLUS = 16;

    private static final byte[] ASCII = ascii();

    private final char[] units;

    /// Null as long as every unit is the one of the source at the same index.
    private final int @Nullable [] from;

    /// Null as long as every unit is one unit of the source.
    private final int @Nullable [] to;

    private int length;
    private boolean gaps;
    private int specials = -1;

    private View(char[] units, int @Nullable [] from, int @Nullable [] to) {
        this.units = units;
        this.from = from;
        this.to = to;
    }

    /// An empty one to decode into.
    static View decoding(int capacity) {
        return new View(new char[capacity], new int[capacity], new int[capacity]);
    }

    static View of(String text) {
        var view = new View(text.toCharArray(), null, null);
        view.length = text.length();
        return view;
    }

    private void add(char unit, int sourceFrom, int sourceTo) {
        units[length] = unit;
        if (from != null) {
            from[length] = sourceFrom;
        }
        if (to != null) {
            to[length] = sourceTo;
        }
        length++;
    }

    /// Adds the unit at `index` of `source` as it is.
    void copy(View source, int index) {
        add(source.units[index], source.from(index), source.to(index));
    }

    /// Adds what the units of `source` from `first` to before `after` spell.
    void decoded(int codePoint, View source, int first, int after) {
        int start = source.from(first);
        int end = source.to(after - 1);
        for (int i = first; i + 1 < after; i++) {
            gaps |= source.to(i) != source.from(i + 1);
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
        return from == null ? index : from[index];
    }

    /// Where the piece of the source behind this unit ends, exclusive.
    int to(int index) {
        return to == null ? from(index) + 1 : to[index];
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
        if ((specials() & BLANK) == 0) {
            return this;
        }
        var bare = new View(new char[length], new int[length], to == null ? null : new int[length]);
        for (int i = 0; i < length; i++) {
            if (!blankAt(i)) {
                bare.copy(this, i);
            }
        }
        return bare;
    }

    /// The bits of everything in this view that is not plain.
    int specials() {
        if (specials < 0) {
            int seen = 0;
            for (int i = 0; i < length; i++) {
                char unit = units[i];
                if (unit < ASCII.length) {
                    seen |= ASCII[unit];
                } else if (blankBeyondAscii(i, unit)) {
                    seen |= BLANK;
                }
            }
            specials = seen;
        }
        return specials;
    }

    private static byte[] ascii() {
        var bits = new byte[0x7F];
        for (int c = 0; c <= ' '; c++) {
            bits[c] = BLANK;
        }
        bits['\\'] = BACKSLASH;
        bits['%'] = PERCENT;
        bits['&'] = AMPERSAND;
        bits['+'] = PLUS;
        return bits;
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
