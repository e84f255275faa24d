package dev.postern.base;

import java.util.Locale;

/// Makes what a reader can't see, or what would act on a terminal, visible: each such code point becomes a
/// backslash and its number, as in `u{202E}`. For every text that came from outside and goes to a person (CAT-5).
/// After it no control character, and so no escape sequence of a terminal in 7-bit or 8-bit form, is left.
///
/// Made visible: control, format (bidirectional, zero-width, tags, byte order mark), private-use, unassigned
/// code points, surrogates without a partner, line and paragraph separators, fillers that show nothing, and
/// variation selectors. Blanks other than U+0020 stay: a reader sees them as blanks.
///
/// Emoji stay readable: one variation selector 15 or 16 right after an emoji, and a zero-width joiner between
/// two pictographs, are kept. Elsewhere both are made visible, also in scripts that use joiners for spelling,
/// since two names that differ only in a joiner must not look alike. Flags made of tag characters are taken
/// apart, since tags are how text is hidden in front of a reader.
///
/// A text in which such a number was written in plain characters stays as it is.
public final class VisibleText {
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private VisibleText() {}

    /// For one line: line feeds and tabs are made visible too.
    public static String of(String text) {
        return visible(text, false);
    }

    /// For a block of text: keeps line feeds and tabs. A carriage return is made visible, since it would let a
    /// text overwrite its own line.
    public static String block(String text) {
        return visible(text, true);
    }

    /// The first `limit` code points of `text` on one line, with `…` where something was cut.
    public static String line(String text, int limit) {
        return of(cut(text, limit));
    }

    /// The first `limit` code points of `text` as they are, with `…` where something was cut.
    public static String cut(String text, int limit) {
        if (text.length() <= limit || text.codePointCount(0, text.length()) <= limit) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, limit)) + "…";
    }

    /// Whether a reader sees this code point wherever it stands: false for all that [#of] ever makes visible.
    public static boolean shows(int codePoint) {
        return isPlain(codePoint, false) || isShown(codePoint);
    }

    private static String visible(String text, boolean keepsLines) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain), keepsLines)) {
            plain++;
        }
        if (plain == text.length()) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16).append(text, 0, plain);
        int previous = plain == 0 ? -1 : text.charAt(plain - 1);
        int base = previous;
        for (int i = plain; i < text.length(); ) {
            int c = text.codePointAt(i);
            int after = i + Character.charCount(c);
            if (isPlain(c, keepsLines) || isShown(c) || belongsToEmoji(c, previous, base, text, after)) {
                out.appendCodePoint(c);
            } else {
                out.append("\\u{")
                        .append(Integer.toHexString(c).toUpperCase(Locale.ROOT))
                        .append('}');
            }
            previous = c;
            if (!isEmojiExtension(c)) {
                base = c;
            }
            i = after;
        }
        return out.toString();
    }

    private static boolean isPlain(int c, boolean keepsLines) {
        return (c >= 0x20 && c < 0x7F) || (keepsLines && (c == '\n' || c == '\t'));
    }

    private static boolean isShown(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.FORMAT -> isVisibleFormat(c);
            default -> !showsNothing(c);
        };
    }

    /// Signs of Arabic, Syriac and Kaithi that Unicode calls format characters although they are drawn
    /// (property Prepended_Concatenation_Mark).
    private static boolean isVisibleFormat(int c) {
        return (c >= 0x600 && c <= 0x605)
                || c == 0x6DD
                || c == 0x70F
                || c == 0x890
                || c == 0x891
                || c == 0x8E2
                || c == 0x110BD
                || c == 0x110CD;
    }

    /// Letters, marks and symbols without a picture (property Default_Ignorable_Code_Point, and the empty
    /// Braille pattern).
    private static boolean showsNothing(int c) {
        return c == 0x34F
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || (c >= 0x180B && c <= 0x180F)
                || c == 0x2800
                || c == 0x3164
                || (c >= 0xFE00 && c <= 0xFE0F)
                || c == 0xFFA0
                || (c >= 0xE0100 && c <= 0xE01EF);
    }

    private static boolean belongsToEmoji(int c, int previous, int base, String text, int after) {
        if (c == 0xFE0E || c == 0xFE0F) {
            return previous >= 0 && Character.isEmoji(previous);
        }
        return c == ZERO_WIDTH_JOINER
                && previous != ZERO_WIDTH_JOINER
                && base >= 0
                && Character.isExtendedPictographic(base)
                && after < text.length()
                && Character.isExtendedPictographic(text.codePointAt(after));
    }

    /// What may stand between a pictograph and the joiner that follows it: a variation selector, a skin tone.
    private static boolean isEmojiExtension(int c) {
        return c == 0xFE0F || (c >= 0x1F3FB && c <= 0x1F3FF);
    }
}
