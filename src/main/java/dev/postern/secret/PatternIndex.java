package dev.postern.secret;

import java.util.Arrays;
import java.util.List;

/// Finds every occurrence of many patterns in one pass. A rolling hash over windows of [#WINDOW] units selects
/// the few patterns that can start at a place, and a comparison settles it. For given patterns the time is
/// proportional to the text, whatever the text is: nothing is tried again. Immutable.
final class PatternIndex {
    /// No pattern is shorter: it is also the length under which a secret is not redacted at all.
    static final int WINDOW = 8;

    /// Less of a secret tells nothing, and would black out ordinary text.
    static final int SHORTEST_REST = 4;

    private static final int BASE = 0x01000193;
    private static final int BASE_TO_WINDOW = power(BASE, WINDOW);

    private final char[][] patterns;
    private final int[] owners;
    private final int[] hashes;
    private final int[] slots;
    private final int[] next;
    private final int shift;
    private final int longestNumber;

    /// A pattern of at least [#WINDOW] units and the secret it belongs to.
    record Pattern(String text, int owner) {}

    PatternIndex(List<Pattern> wanted) {
        int count = wanted.size();
        patterns = new char[count][];
        owners = new int[count];
        hashes = new int[count];
        next = new int[count];
        int bits = Math.max(8, 34 - Integer.numberOfLeadingZeros(count));
        slots = new int[1 << bits];
        shift = 32 - bits;
        Arrays.fill(slots, -1);
        int longest = 0;
        for (int i = 0; i < count; i++) {
            patterns[i] = wanted.get(i).text().toCharArray();
            owners[i] = wanted.get(i).owner();
            hashes[i] = hashOfWindow(patterns[i]);
            int slot = slot(hashes[i]);
            next[i] = slots[slot];
            slots[slot] = i;
            longest = isNumber(patterns[i]) ? Math.max(longest, patterns[i].length) : longest;
        }
        longestNumber = longest;
    }

    /// The length of the longest pattern that has nothing but digits, signs, points and exponent marks; 0 when
    /// there is none.
    int longestNumber() {
        return longestNumber;
    }

    private static boolean isNumber(char[] pattern) {
        for (char unit : pattern) {
            if ("0123456789+-.eE".indexOf(unit) < 0) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        return patterns.length == 0;
    }

    void search(View view, Matches found) {
        if (patterns.length == 0 || view.length() < WINDOW) {
            return;
        }
        int hash = 0;
        for (int end = 0; end < view.length(); end++) {
            hash = hash * BASE + view.unit(end);
            int start = end - WINDOW + 1;
            if (start < 0) {
                continue;
            }
            if (start > 0) {
                hash -= view.unit(start - 1) * BASE_TO_WINDOW;
            }
            for (int i = slots[slot(hash)]; i >= 0; i = next[i]) {
                if (hashes[i] == hash && view.matches(start, patterns[i])) {
                    found.add(view.from(start), view.to(start + patterns[i].length - 1), owners[i]);
                }
            }
        }
    }

    /// Finds ends of patterns, of at least [#SHORTEST_REST] units, that stand right at `cut`: the beginning of the
    /// text, but for the remains of an escape.
    void searchRestAtStart(View view, int cut, Matches found) {
        for (int i = 0; i < patterns.length; i++) {
            int length = Math.min(patterns[i].length - 1, view.length() - cut);
            while (length >= SHORTEST_REST && !view.matchesEnd(cut, patterns[i], length)) {
                length--;
            }
            if (length >= SHORTEST_REST) {
                found.add(0, view.to(cut + length - 1), owners[i]);
            }
        }
    }

    private int slot(int hash) {
        return (hash * 0x9E3779B9) >>> shift;
    }

    private static int hashOfWindow(char[] pattern) {
        int hash = 0;
        for (int i = 0; i < WINDOW; i++) {
            hash = hash * BASE + pattern[i];
        }
        return hash;
    }

    private static int power(int base, int exponent) {
        int product = 1;
        for (int i = 0; i < exponent; i++) {
            product *= base;
        }
        return product;
    }
}
