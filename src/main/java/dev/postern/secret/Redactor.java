package dev.postern.secret;

import dev.postern.base.VisibleText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Replaces every secret it was given by `[redacted:NAME]`, wherever and however usually written it stands in a
/// text (SEC-5). Immutable and safe for use by many threads; time and memory are proportional to the text.
///
/// Found: the exact value; its characters written with JSON, percent or HTML escapes, each in any mixture with
/// plain characters, and up to two of these beside or inside each other; base64 and base64url at the three
/// alignments, and hexadecimal, also below such escapes; each also when blanks, line breaks or invisible
/// characters are put anywhere inside. The same for the long parts of secrets that have structure, see [Leaves].
///
/// Not found: reversed or partial values, changed case, other separators between the characters, base64 or
/// hexadecimal of an already encoded value, other character sets than UTF-8, compression, encryption. Against
/// those only withholding the secret helps.
public final class Redactor {
    /// Rounds after the first, for a secret that ends up in the seam between a mark and its neighbourhood.
    private static final int MORE_ROUNDS = 3;

    /// How much of an escape can be left of one that was cut, as in `128273;` and `u{1F511}`.
    private static final int LONGEST_ESCAPE = 9;

    private static final Redactor NONE = new Redactor(List.of());

    private final List<String> marks = new ArrayList<>();
    private final List<String> unredactable;
    private final PatternIndex bare;
    private final PatternIndex spaced;
    private final List<Spelling> spellings;

    /// A text without the secrets.
    ///
    /// @param count how many were replaced; pieces that overlapped count once
    public record Redacted(String text, int count) {}

    /// Takes the first of several secrets with the same value.
    public Redactor(Collection<SecretValue> secrets) {
        var wanted = new Wanted();
        var skipped = new LinkedHashSet<String>();
        var names = new ArrayList<String>();
        for (var secret : secrets) {
            if (Leaves.isLongEnough(secret.reveal())) {
                wanted.add(secret.reveal(), names.size());
                names.add(secret.name());
            } else {
                skipped.add(secret.name());
            }
        }
        unredactable = List.copyOf(skipped);
        bare = new PatternIndex(wanted.bare);
        spaced = new PatternIndex(wanted.spaced);
        spellings = Spelling.all(wanted.blanks);
        for (var name : names) {
            marks.add(markFor(name));
        }
    }

    /// What to search for, collected.
    private static final class Wanted {
        private final List<PatternIndex.Pattern> bare = new ArrayList<>();
        private final List<PatternIndex.Pattern> spaced = new ArrayList<>();
        private final Set<String> known = new HashSet<>();
        private boolean blanks;

        private void add(String value, int owner) {
            for (var leaf : Leaves.of(value)) {
                var compact = Variants.withoutBlanks(leaf);
                blanks |= compact.length() != leaf.length();
                for (var variant : Variants.of(leaf)) {
                    if (known.add(variant)) {
                        bare.add(new PatternIndex.Pattern(variant, owner));
                    }
                }
                if (compact.length() < PatternIndex.WINDOW) {
                    spaced.add(new PatternIndex.Pattern(leaf, owner));
                }
            }
        }
    }

    /// One that knows no secret.
    public static Redactor none() {
        return NONE;
    }

    /// The text with every secret replaced by its mark.
    public Redacted redact(String text) {
        return redact(text, find(text));
    }

    /// Where in a text secrets stand, and the mark that each would get.
    ///
    /// @param to exclusive
    record Place(int from, int to, String mark) {}

    List<Place> places(String text) {
        var places = new ArrayList<Place>();
        for (var match : find(text).merged(text)) {
            places.add(new Place(match.from(), match.to(), marks.get(match.owner())));
        }
        return places;
    }

    /// The length of the longest form of a secret that is made of what numbers are made of: 0 where no number
    /// can hold one.
    int longestNumber() {
        return bare.longestNumber();
    }

    /// For a text of which only the beginning is wanted: what stands before `end`, and the whole mark of a
    /// secret that lies across it.
    public Redacted redactUpTo(String text, int end) {
        var found = find(text);
        var crossing = found.before(end, text);
        return redact(text.substring(0, Math.max(end, crossing)), found);
    }

    /// For what is left of a text whose beginning is gone, such as a ring that ran over: also replaces what may
    /// be the rest of a secret at its very start, from 4 characters on.
    public Redacted redactTail(String text) {
        var found = find(text);
        var start = View.of(text).withoutBlanks();
        searchRest(start, found);
        for (var spelling : spellings) {
            var decoded = spelling.decode(start);
            if (decoded != null) {
                searchRest(decoded.withoutBlanks(), found);
            }
        }
        return redact(text, found);
    }

    private void searchRest(View view, Matches found) {
        for (int cut = 0; cut < LONGEST_ESCAPE; cut++) {
            bare.searchRestAtStart(view, cut, found);
        }
    }

    private Redacted redact(String text, Matches found) {
        var redacted = once(text, found);
        for (int round = 0; redacted.count > 0; round++) {
            var seams = find(redacted.text);
            if (seams.isEmpty()) {
                break;
            }
            var again = round < MORE_ROUNDS ? once(redacted.text, seams) : onlyMark(redacted.text, seams);
            redacted = new Redacted(again.text, redacted.count + again.count);
        }
        return redacted;
    }

    /// For a text in which every mark spells a secret anew, as a secret can that contains its own mark: none of
    /// the text is kept.
    private Redacted onlyMark(String text, Matches found) {
        return new Redacted(marks.get(found.merged(text).getFirst().owner()), 1);
    }

    /// Names of the secrets that are left alone, since their values are under 8 characters or blank: each
    /// deserves a warning.
    public List<String> unredactable() {
        return unredactable;
    }

    private Redacted once(String text, Matches found) {
        if (found.isEmpty()) {
            return new Redacted(text, 0);
        }
        var out = new StringBuilder(text.length());
        int done = 0;
        var merged = found.merged(text);
        for (var match : merged) {
            out.append(text, done, match.from()).append(marks.get(match.owner()));
            done = match.to();
        }
        return new Redacted(out.append(text, done, text.length()).toString(), merged.size());
    }

    private Matches find(String text) {
        var found = new Matches();
        if (text.length() < PatternIndex.WINDOW || (bare.isEmpty() && spaced.isEmpty())) {
            return found;
        }
        var whole = View.of(text);
        var stripped = whole.withoutBlanks();
        layers(stripped, stripped == whole ? null : whole, bare, found);
        if (!spaced.isEmpty()) {
            layers(whole, null, spaced, found);
        }
        return found;
    }

    /// Searches `view`, what it says in each spelling, and what that says in each.
    ///
    /// @param original the same with its blanks, or null; a blank may have kept apart what is no escape
    private void layers(View view, @Nullable View original, PatternIndex index, Matches found) {
        index.search(view, found);
        for (var outer : spellings) {
            var once = outer.decode(view);
            if (once == null) {
                continue;
            }
            inner(once, index, found);
            if (once.hasGaps() && original != null) {
                var apart = outer.decode(original);
                if (apart != null) {
                    inner(apart, index, found);
                }
            }
        }
    }

    private void inner(View once, PatternIndex index, Matches found) {
        var view = index == bare ? once.withoutBlanks() : once;
        index.search(view, found);
        for (var spelling : spellings) {
            var twice = spelling.decode(view);
            if (twice != null) {
                index.search(index == bare ? twice.withoutBlanks() : twice, found);
            }
        }
    }

    /// A mark never spells a secret itself: one whose value is its own name, or the word `redacted`, would
    /// otherwise be printed by its replacement.
    private String markFor(String name) {
        var mark = "[redacted:" + VisibleText.of(name) + "]";
        if (find(mark).isEmpty()) {
            return mark;
        }
        return find("[redacted]").isEmpty() ? "[redacted]" : "[-]";
    }
}
