package dev.postern.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An object whose keys have been checked: unknown and repeated ones are reported when this is made. The getters
/// give a value of the right type, or null: absent, or of another type, which they report.
final class Members {
    private final Tree.Obj object;
    private final Place place;
    private final Findings findings;
    private final Map<String, Tree> values = new HashMap<>();
    private final Set<String> meant = new HashSet<>();

    Members(Tree.Obj object, Place place, Keys keys, Findings findings) {
        this.object = object;
        this.place = place;
        this.findings = findings;
        for (var member : distinct(object, place, findings)) {
            if (keys.known().contains(member.name())) {
                values.put(member.name(), member.value());
            } else {
                refuse(member, keys);
            }
        }
    }

    /// The members of an object with free keys; a repeated key is reported and left out.
    static List<Tree.Member> distinct(Tree.Obj object, Place place, Findings findings) {
        var names = new HashSet<String>();
        var distinct = new ArrayList<Tree.Member>(object.members().size());
        for (var member : object.members()) {
            if (names.add(member.name())) {
                distinct.add(member);
            } else {
                findings.problem(
                        place.key(member.name()),
                        member.at(),
                        "the key " + findings.shown(member.name()) + " is repeated",
                        "each key once");
            }
        }
        return distinct;
    }

    private void refuse(Tree.Member member, Keys keys) {
        var at = place.key(member.name());
        if (keys.later().contains(member.name())) {
            findings.problem(
                    at,
                    member.at(),
                    "the key \"" + member.name() + "\" is not supported yet by this version",
                    "one of " + keys.list());
            return;
        }
        String nearest = keys.meant(member.name());
        if (nearest != null) {
            meant.add(nearest);
        }
        findings.problem(
                at,
                member.at(),
                "the key " + findings.shown(member.name()) + " is unknown"
                        + (nearest == null ? "" : "; the nearest known one is \"" + nearest + "\""),
                "one of " + keys.list());
    }

    Place place() {
        return place;
    }

    Place place(String key) {
        return place.key(key);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    @Nullable
    Tree get(String key) {
        return values.get(key);
    }

    /// Whether an unknown key was taken for a misspelt `key`: then its absence is no second mistake.
    boolean meant(String key) {
        return meant.contains(key);
    }

    /// The value of a key that must be there.
    @Nullable
    Tree required(String key, String expected) {
        var value = values.get(key);
        if (value == null && !meant(key)) {
            findings.problem(place, object.at(), "the key \"" + key + "\" is missing", "\"" + key + "\": " + expected);
        }
        return value;
    }

    @Nullable
    Boolean bool(String key, @Nullable Tree value) {
        if (value instanceof Tree.Bool bool) {
            return bool.value();
        }
        wrongType(key, value, "true or false");
        return null;
    }

    Tree.@Nullable Text text(String key, @Nullable Tree value, String expected) {
        if (value instanceof Tree.Text text) {
            return text;
        }
        wrongType(key, value, expected);
        return null;
    }

    Tree.@Nullable Obj object(String key, @Nullable Tree value, String expected) {
        if (value instanceof Tree.Obj nested) {
            return nested;
        }
        wrongType(key, value, expected);
        return null;
    }

    Tree.@Nullable Arr array(String key, @Nullable Tree value, String expected) {
        if (value instanceof Tree.Arr array) {
            return array;
        }
        wrongType(key, value, expected);
        return null;
    }

    /// One of a few words; `absent` when the key is not there.
    <E extends Enum<E>> E word(String key, List<E> values, E absent) {
        var value = get(key);
        if (value == null) {
            return absent;
        }
        var names = new ArrayList<String>();
        for (var candidate : values) {
            names.add(candidate.name().toLowerCase(Locale.ROOT));
        }
        String expected = "\"" + String.join("\" or \"", names) + "\"";
        var text = text(key, value, expected);
        if (text != null) {
            int index = names.indexOf(text.value());
            if (index >= 0) {
                return values.get(index);
            }
            findings.problem(place.key(key), text.at(), "\"" + key + "\" is " + findings.shown(text.value()), expected);
        }
        return absent;
    }

    private void wrongType(String key, @Nullable Tree value, String expected) {
        if (value != null) {
            wrongType(findings, place.key(key), value, "\"" + key + "\"", expected);
        }
    }

    /// Reports a value of the wrong type, once: what is not JSON has its problem already.
    static void wrongType(Findings findings, Place place, Tree value, String what, String expected) {
        if (!(value instanceof Tree.Broken)) {
            findings.problem(place, value.at(), what + " is " + value.kind(), expected);
        }
    }
}
