package dev.postern.config;

import dev.postern.base.VisibleText;
import dev.postern.secret.SecretShapes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects problems and warnings, each with its place, and keeps both lists short whatever the input is.
/// Confined to one thread and one parse.
final class Findings {
    /// More than anybody corrects in one go.
    static final int MOST = 100;

    private static final int LONGEST = 4_096;

    /// Code points of a key or a word in a message: enough to recognise it by.
    private static final int SHOWN = 64;

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigWarning> warnings = new ArrayList<>();
    private int count;
    private int sortedProblems;
    private int sortedWarnings;

    /// Reports what was seen at offset `at` of the place's text. Neither text may hold a value that could be a
    /// secret; [#shown] makes keys and words of ours fit to be named.
    void problem(Place place, int at, String message, String expected) {
        count++;
        if (problems.size() < MOST) {
            var position = place.text().position(at);
            problems.add(new ConfigProblem(
                    place.text().source(), pointer(place), position.line(), position.column(), message, expected));
        }
    }

    void warning(Place place, int at, String message, String next) {
        if (warnings.size() < MOST) {
            var position = place.text().position(at);
            warnings.add(new ConfigWarning(
                    place.text().source(), pointer(place), position.line(), position.column(), message, next));
        }
    }

    /// How many problems there are, those beyond the list included.
    int count() {
        return count;
    }

    /// Puts what came since the last call in the order of the text it came from.
    void sort() {
        if (problems.size() - sortedProblems > 1) {
            problems.subList(sortedProblems, problems.size())
                    .sort(Comparator.comparingInt(ConfigProblem::line).thenComparingInt(ConfigProblem::column));
        }
        if (warnings.size() - sortedWarnings > 1) {
            warnings.subList(sortedWarnings, warnings.size())
                    .sort(Comparator.comparingInt(ConfigWarning::line).thenComparingInt(ConfigWarning::column));
        }
        sortedProblems = problems.size();
        sortedWarnings = warnings.size();
    }

    List<ConfigWarning> warnings() {
        return warnings;
    }

    ConfigResult.Rejected rejected() {
        return new ConfigResult.Rejected(problems, count - problems.size());
    }

    /// The kind of secret that a value looks like, or null. Only the beginning of a very long one is looked at:
    /// time must not depend on what somebody pasted.
    @Nullable
    String secretKind(String value) {
        return SecretShapes.kind(value.length() > LONGEST ? value.substring(0, LONGEST) : value);
    }

    /// A key or word in quotes, cut, nothing invisible in it, and withheld when it looks like a secret.
    String shown(String word) {
        return '"' + VisibleText.of(named(word)) + '"';
    }

    private String named(String word) {
        String kind = secretKind(word);
        return kind == null ? VisibleText.cut(word, SHOWN) : "(withheld: looks like a secret)";
    }

    private String pointer(Place place) {
        var parent = place.parent();
        if (parent == null) {
            return "";
        }
        return pointer(parent) + '/' + named(place.token()).replace("~", "~0").replace("/", "~1");
    }
}
