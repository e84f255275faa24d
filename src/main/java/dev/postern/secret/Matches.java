package dev.postern.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The pieces of a source in which secrets were found. Pieces that overlap become one, which carries the name of
/// the longest among them. Confined to one call.
final class Matches {
    private final List<Match> all = new ArrayList<>();
    private final Map<Integer, Match> lastOfOwner = new HashMap<>();

    static final class Match {
        private final int from;
        private int to;
        private int owner;
        private int longest;

        private Match(int from, int to, int owner, int longest) {
            this.from = from;
            this.to = to;
            this.owner = owner;
            this.longest = longest;
        }

        int from() {
            return from;
        }

        int to() {
            return to;
        }

        int owner() {
            return owner;
        }

        private void include(Match other) {
            to = Math.max(to, other.to);
            if (other.longest > longest) {
                longest = other.longest;
                owner = other.owner;
            }
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /// Joins the piece to the owner's last one where they overlap, so that a secret that repeats itself does not
    /// fill the memory.
    void add(int from, int to, int owner) {
        var match = new Match(from, to, owner, to - from);
        var last = lastOfOwner.get(owner);
        if (last != null && from >= last.from && from < last.to) {
            last.include(match);
            return;
        }
        lastOfOwner.put(owner, match);
        all.add(match);
    }

    /// Forgets the pieces from `end` on.
    ///
    /// @return where the last of the others ends
    int before(int end, String source) {
        all.removeIf(match -> match.from >= end);
        int last = 0;
        for (var match : merged(source)) {
            last = match.to;
        }
        return last;
    }

    /// In order, without overlaps, and never cutting a surrogate pair of `source` in two.
    List<Match> merged(String source) {
        all.sort(Comparator.comparingInt(Match::from).thenComparingInt(match -> -match.to));
        var merged = new ArrayList<Match>();
        for (var match : all) {
            var whole = withWholePairs(match, source);
            if (!merged.isEmpty() && whole.from < merged.getLast().to) {
                merged.getLast().include(whole);
            } else {
                merged.add(whole);
            }
        }
        return merged;
    }

    private static Match withWholePairs(Match match, String source) {
        int from = insidePair(source, match.from) ? match.from - 1 : match.from;
        int to = insidePair(source, match.to) ? match.to + 1 : match.to;
        return new Match(from, to, match.owner, match.longest);
    }

    private static boolean insidePair(String source, int index) {
        return index > 0
                && index < source.length()
                && Character.isLowSurrogate(source.charAt(index))
                && Character.isHighSurrogate(source.charAt(index - 1));
    }
}
