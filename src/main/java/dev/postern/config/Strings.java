package dev.postern.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Strings that reach the operating system.
final class Strings {
    private Strings() {}

    /// Reports a NUL: the system would end the string there, and something else than what is written would run.
    static boolean withoutNul(Tree.Text text, Place place, Findings findings) {
        if (text.value().indexOf('\0') < 0) {
            return true;
        }
        findings.problem(place, text.at(), "this string holds a NUL character", "text without \\u0000");
        return false;
    }

    /// The strings of an array, or null when one of them is not a string.
    static @Nullable List<Tree.Text> list(Tree.Arr array, Place place, Findings findings) {
        var texts = new ArrayList<Tree.Text>(array.items().size());
        for (int i = 0; i < array.items().size(); i++) {
            var item = array.items().get(i);
            if (item instanceof Tree.Text text) {
                texts.add(text);
            } else {
                Members.wrongType(findings, place.index(i), item, "this element", "a string");
            }
        }
        return texts.size() == array.items().size() ? texts : null;
    }
}
