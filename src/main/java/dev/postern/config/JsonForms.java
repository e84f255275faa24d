package dev.postern.config;

import java.util.Locale;

/// What the characters and words of JSON are made of (RFC 8259), checked by hand: a pattern would have to be
/// compiled at every start.
final class JsonForms {
    private JsonForms() {}

    /// One character for a message, printing safely whatever it is.
    static String name(int point) {
        if (point > ' ' && point < 0x7F) {
            return "the character " + (char) point;
        }
        String hex = Integer.toHexString(point).toUpperCase(Locale.ROOT);
        return "the character U+" + "0".repeat(Math.max(0, 4 - hex.length())) + hex;
    }

    static boolean isEnd(char c) {
        return c == ',' || c == '}' || c == ']';
    }

    /// What a number, a word or a bare key may be made of; wider than JSON, so that one mistake is one problem.
    static boolean isWord(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '-'
                || c == '+'
                || c == '.'
                || c == '_'
                || c == '$';
    }

    static boolean isNumber(String s) {
        int i = s.startsWith("-") ? 1 : 0;
        int digits = digits(s, i);
        if (digits == i || (digits > i + 1 && s.charAt(i) == '0')) {
            return false;
        }
        i = digits;
        if (i < s.length() && s.charAt(i) == '.') {
            digits = digits(s, i + 1);
            if (digits == i + 1) {
                return false;
            }
            i = digits;
        }
        if (i < s.length() && (s.charAt(i) == 'e' || s.charAt(i) == 'E')) {
            i++;
            if (i < s.length() && (s.charAt(i) == '+' || s.charAt(i) == '-')) {
                i++;
            }
            digits = digits(s, i);
            if (digits == i) {
                return false;
            }
            i = digits;
        }
        return i == s.length();
    }

    /// Where the digits that start at `from` end.
    private static int digits(String s, int from) {
        int i = from;
        while (i < s.length() && s.charAt(i) >= '0' && s.charAt(i) <= '9') {
            i++;
        }
        return i;
    }

    static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }

    static boolean hasLoneSurrogate(String value) {
        for (int i = 0; i < value.length(); ) {
            int point = value.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                return true;
            }
            i += Character.charCount(point);
        }
        return false;
    }
}
