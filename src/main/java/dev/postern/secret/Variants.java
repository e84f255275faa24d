package dev.postern.secret;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;

/// The forms of a leaf that no [Spelling] undoes: itself, base64, base64url, hexadecimal. They are compared with
/// a text that has no blanks, and so have none.
final class Variants {
    private static final char[] LOWER = "0123456789abcdef".toCharArray();
    private static final char[] UPPER = "0123456789ABCDEF".toCharArray();

    private Variants() {}

    static Set<String> of(String leaf) {
        var all = new LinkedHashSet<String>();
        all.add(withoutBlanks(leaf));
        byte[] bytes = leaf.getBytes(StandardCharsets.UTF_8);
        base64(bytes, Base64.getEncoder(), all);
        base64(bytes, Base64.getUrlEncoder(), all);
        all.add(hex(bytes, LOWER));
        all.add(hex(bytes, UPPER));
        all.removeIf(variant -> variant.length() < PatternIndex.WINDOW);
        return all;
    }

    static String withoutBlanks(String text) {
        return View.of(text).withoutBlanks().text();
    }

    /// A secret inside a longer text meets base64 at one of three places of its groups of three bytes; the
    /// characters that also depend on its neighbours are left off. The whole encoding is added so that its last
    /// character and its padding don't stay behind.
    private static void base64(byte[] bytes, Base64.Encoder encoder, Set<String> all) {
        for (int lead = 0; lead < 3; lead++) {
            var padded = new byte[lead + bytes.length];
            System.arraycopy(bytes, 0, padded, lead, bytes.length);
            var encoded = encoder.encodeToString(padded);
            int first = (lead * 8 + 5) / 6;
            int after = padded.length * 8 / 6;
            all.add(encoded.substring(first, after));
            if (lead == 0) {
                all.add(encoded);
                all.add(encoder.withoutPadding().encodeToString(padded));
            }
        }
    }

    private static String hex(byte[] bytes, char[] digits) {
        var text = new StringBuilder(bytes.length * 2);
        for (byte b : bytes) {
            text.append(digits[(b >> 4) & 0xF]).append(digits[b & 0xF]);
        }
        return text.toString();
    }
}
