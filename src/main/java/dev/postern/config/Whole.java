package dev.postern.config;

import dev.postern.base.Limit;

/// Whole numbers as configuration writes them: plain digits, no fraction, no exponent.
final class Whole {
    /// Written with something else than digits.
    static final long NOT_PLAIN = Long.MIN_VALUE;

    private Whole() {}

    /// The number, [#NOT_PLAIN], or `Long.MAX_VALUE` when it has more digits than any limit.
    static long parse(String written) {
        int from = written.startsWith("-") ? 1 : 0;
        if (from == written.length()) {
            return NOT_PLAIN;
        }
        for (int i = from; i < written.length(); i++) {
            if (written.charAt(i) < '0' || written.charAt(i) > '9') {
                return NOT_PLAIN;
            }
        }
        if (written.length() > 18) {
            return from == 1 ? -1 : Long.MAX_VALUE;
        }
        return Long.parseLong(written);
    }

    /// What is wrong with a parsed number that does not fit `limit`.
    static String complaint(long parsed, Limit limit) {
        return complaint(parsed, 1, limit.ceiling());
    }

    /// What is wrong with a parsed number that is not from `least`, which is at least 1, to `most`.
    static String complaint(long parsed, long least, long most) {
        if (parsed == NOT_PLAIN) {
            return "is not written in plain digits";
        }
        if (parsed < 1) {
            return parsed == 0 ? "is 0" : "is negative";
        }
        if (parsed < least) {
            return "is " + parsed + ", under its least of " + least;
        }
        return (parsed == Long.MAX_VALUE ? "has more than 18 digits" : "is " + parsed) + ", over its ceiling of "
                + most;
    }
}
