package dev.postern.base;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds what somebody most likely meant when they mistyped a name.
public final class Nearest {
    /// Longer names are not typing mistakes, and comparing them would cost time that the input decides.
    private static final int LONGEST = 64;

    private Nearest() {}

    /// The name of `known` that is nearest to `typed`, or null when none is near. Case does not count, nor does
    /// `_` or `-`; a name that contains the other is near.
    public static @Nullable String of(String typed, Iterable<String> known) {
        if (typed.length() > LONGEST) {
            return null;
        }
        String plain = plain(typed);
        String best = null;
        int farthest = plain.length() / 3 + 1;
        int least = farthest;
        for (var name : known) {
            String other = plain(name);
            int distance = distance(plain, other);
            if (distance > farthest && contained(plain, other)) {
                distance = farthest;
            }
            if (distance < least || (distance == least && best == null)) {
                best = name;
                least = distance;
            }
        }
        return best;
    }

    private static boolean contained(String one, String other) {
        return Math.min(one.length(), other.length()) >= 3 && (one.contains(other) || other.contains(one));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /// The least number of insertions, deletions, replacements and swaps of neighbours that turn one into the
    /// other, no place changed twice.
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        int[] last = new int[other.length() + 1];
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int cost = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + cost);
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            int[] spare = before;
            before = last;
            last = row;
            row = spare;
        }
        return last[other.length()];
    }
}
