package dev.postern.config;

import dev.postern.base.Names;
import dev.postern.secret.SecretRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads references (SEC-1): `{"env":"NAME"}`, `{"credential":"name"}`, `{"value":"literal"}`.
final class ReferenceReader {
    private static final String EXPECTED =
            "a reference: {\"env\": \"NAME\"}, {\"credential\": \"name\"}, or {\"value\": \"text\"} for what is not secret";
    private static final Keys KEYS = new Keys(List.of("env", "credential", "value"));

    private final Findings findings;

    ReferenceReader(Findings findings) {
        this.findings = findings;
    }

    /// @param what names the value in messages
    /// @param id the server's id, to name a credential by in advice
    @Nullable
    SecretRef read(Tree value, Place place, String what, String id) {
        if (!(value instanceof Tree.Obj object)) {
            Members.wrongType(findings, place, value, what, EXPECTED);
            return null;
        }
        var members = new Members(object, place, KEYS, findings);
        int count = 0;
        for (var key : KEYS.known()) {
            count += members.has(key) ? 1 : 0;
        }
        if (count != 1) {
            if (count > 1 || object.members().isEmpty()) {
                findings.problem(
                        place,
                        object.at(),
                        what + " has " + (count == 0 ? "no" : "more than one") + " source",
                        EXPECTED);
            }
            return null;
        }
        if (members.has("env")) {
            return variable(members);
        }
        return members.has("credential") ? credential(members) : literal(members, id);
    }

    private @Nullable SecretRef variable(Members members) {
        String expected = "the name of an environment variable: letters, digits and _, no digit first";
        var name = members.text("env", members.get("env"), expected);
        if (name == null || !isName(name, members.place("env"), Names.isVariable(name.value()), expected)) {
            return null;
        }
        return new SecretRef.Env(name.value());
    }

    private @Nullable SecretRef credential(Members members) {
        String expected =
                "the name of a credential: a lower-case letter, then at most 63 lower-case letters, digits or -";
        var name = members.text("credential", members.get("credential"), expected);
        if (name == null || !isName(name, members.place("credential"), Names.isId(name.value()), expected)) {
            return null;
        }
        return new SecretRef.Credential(name.value());
    }

    /// Listings print references as they are, so a secret pasted in place of a name is refused, not merely warned
    /// about.
    private boolean isName(Tree.Text name, Place place, boolean valid, String expected) {
        String kind = findings.secretKind(name.value());
        if (kind != null) {
            findings.problem(
                    place, name.at(), "this looks like a secret itself (" + kind + "), not like a name", expected);
        } else if (!valid) {
            findings.problem(place, name.at(), "this is not a valid name", expected);
        }
        return valid && kind == null;
    }

    private @Nullable SecretRef literal(Members members, String id) {
        var text = members.text("value", members.get("value"), "a string");
        if (text == null) {
            return null;
        }
        var place = members.place("value");
        if (!Strings.withoutNul(text, place, findings)) {
            return null;
        }
        String kind = findings.secretKind(text.value());
        if (kind != null) {
            findings.warning(
                    place,
                    text.at(),
                    "this literal value looks like a secret (" + kind + ")",
                    "Run `postern credential set " + id + "` and write {\"credential\": \"" + id
                            + "\"} instead, or name an environment variable with {\"env\": \"NAME\"}.");
        }
        return new SecretRef.Literal(text.value());
    }
}
