package dev.postern.base;

/// Makes a text one that every encoding can hold. What is written as an escape in JSON may be half of a character,
/// which neither JSON by our rules nor a file takes.
public final class WellFormed {
    private static final int REPLACEMENT = 0xFFFD;

    private WellFormed() {}

    /// `text` with U+FFFD for each surrogate without its partner.
    public static String of(String text) {
        if (text.codePoints().noneMatch(WellFormed::isHalf)) {
            return text;
        }
        var whole = new StringBuilder();
        text.codePoints().map(c -> isHalf(c) ? REPLACEMENT : c).forEach(whole::appendCodePoint);
        return whole.toString();
    }

    private static boolean isHalf(int codePoint) {
        return Character.MIN_SURROGATE <= codePoint && codePoint <= Character.MAX_SURROGATE;
    }
}
