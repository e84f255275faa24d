package dev.postern.base;

/// The forms of names, checked by hand: a pattern would have to be compiled at every start.
public final class Names {
    /// The most characters of an id.
    public static final int LONGEST_ID = 64;

    private Names() {}

    /// `^[a-z][a-z0-9-]{0,63}$`: server ids and credential names (SRV-1, SEC-2).
    public static boolean isId(String text) {
        if (text.isEmpty() || text.length() > LONGEST_ID || !isLower(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLower(c) && !isDigit(c) && c != '-') {
                return false;
            }
        }
        return true;
    }

    /// `^[A-Za-z_][A-Za-z0-9_]*$`, what every shell and system takes as a variable's name.
    public static boolean isVariable(String text) {
        if (text.isEmpty() || isDigit(text.charAt(0))) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && !isDigit(c) && c != '_') {
                return false;
            }
        }
        return true;
    }

    /// `^[A-Za-z0-9_.-]{1,128}$`: a tool of any other name is never offered (CAT-3).
    public static boolean isTool(String text) {
        if (text.isEmpty() || text.length() > 128) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && !isDigit(c) && c != '_' && c != '.' && c != '-') {
                return false;
            }
        }
        return true;
    }

    /// A token of RFC 9110 section 5.6.2, which a header's name is.
    public static boolean isHeader(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && !isDigit(c) && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
