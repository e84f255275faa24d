package dev.postern.secret;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.testkit.Cost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// Any secret in any text. The first line of an input is the secret, the rest is the text, in which the
/// characters U+0001 to U+0008 stand for the secret as it is and encoded in seven ways.
@Tag("F9")
@Tag("SEC-5")
class RedactorFuzzTest {
    private static final int LONGEST = 1 << 16;

    @FuzzTest
    @Timeout(60)
    void leavesNoFormOfASecretBehind(byte[] data) {
        var input = new String(data, StandardCharsets.UTF_8).replace("\uFFFD", "");
        int line = input.indexOf('\n');
        var secret = line < 0 ? input : input.substring(0, line);
        var text = written(secret, line < 0 ? "" : input.substring(line + 1));
        var redactor = new Redactor(List.of(new SecretValue("k", secret)));
        var most = 65_536 + 256L * (text.length() + secret.length());

        var redacted = Cost.within(most, () -> redactor.redact(text));
        if (!redactor.unredactable().isEmpty()) {
            assertThat(redacted).isEqualTo(new Redactor.Redacted(text, 0));
            return;
        }
        assertThat(redacted.text().length()).isLessThanOrEqualTo(2 * text.length());
        assertThat(redactor.redact(redacted.text())).isEqualTo(new Redactor.Redacted(redacted.text(), 0));
        assertHoldsNone(redacted.text(), secret);

        var tree = tree(text);
        var json = Cost.within(8 * most, () -> new JsonRedactor(redactor).redact(tree))
                .node()
                .toString();
        assertThat(redactor.redact(json).count()).as(json).isZero();
        assertHoldsNone(json, secret);
    }

    /// Values, a key, and two halves that only the serialised form brings together.
    private static JsonNode tree(String text) {
        var tree = JsonNodeFactory.instance.objectNode();
        tree.put(text, text);
        int middle = text.length() / 2;
        tree.putArray("halves").add(text.substring(0, middle)).add(text.substring(middle));
        return tree;
    }

    private static String written(String secret, String pattern) {
        var forms = forms(secret);
        var out = new StringBuilder();
        for (int i = 0; i < pattern.length() && out.length() < LONGEST; i++) {
            char c = pattern.charAt(i);
            out.append(c >= 1 && c <= forms.size() ? forms.get(c - 1) : String.valueOf(c));
        }
        return out.toString();
    }

    private static List<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        var hex = HexFormat.of().formatHex(bytes);
        return List.of(
                secret,
                Base64.getEncoder().encodeToString(bytes),
                Base64.getEncoder().encodeToString(("a" + secret + "zz").getBytes(StandardCharsets.UTF_8)),
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(("ab" + secret).getBytes(StandardCharsets.UTF_8)),
                hex,
                hex.toUpperCase(Locale.ROOT),
                HexFormat.of().withPrefix("%").formatHex(bytes),
                unicodeEscapes(secret));
    }

    private static String unicodeEscapes(String secret) {
        var out = new StringBuilder();
        for (int i = 0; i < secret.length(); i++) {
            out.append("\\u").append(HexFormat.of().toHexDigits(secret.charAt(i)));
        }
        return out.toString();
    }

    private static void assertHoldsNone(String text, String secret) {
        var forms = new ArrayList<>(forms(secret));
        var wrapped = forms.get(2);
        // The secret's own bits only: what its neighbours share is not its own.
        forms.set(2, wrapped.substring(2, (1 + secret.getBytes(StandardCharsets.UTF_8).length) * 8 / 6));
        forms.set(3, forms.get(3).substring(3));
        for (var form : forms) {
            assertThat(holds(text, form)).as("%s in %s", form, text).isFalse();
        }
    }

    /// Not where the form's first backslash is an escaped one: `\\u0041` is a backslash and five letters.
    private static boolean holds(String text, String form) {
        for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
            int before = at;
            while (form.startsWith("\\u") && before > 0 && text.charAt(before - 1) == '\\') {
                before--;
            }
            if ((at - before) % 2 == 0) {
                return true;
            }
        }
        return false;
    }
}
