package dev.postern.catalog;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// JSON pointers (RFC 6901) as text.
final class JsonPointers {
    private JsonPointers() {}

    static String child(String pointer, String name) {
        return pointer + '/' + escape(name);
    }

    static String child(String pointer, int index) {
        return pointer + '/' + index;
    }

    static String escape(String name) {
        return name.indexOf('~') < 0 && name.indexOf('/') < 0
                ? name
                : name.replace("~", "~0").replace("/", "~1");
    }

    static String unescape(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }

    /// The pointer in a reference's fragment (RFC 6901 section 6), or null when it is none: a plain name, a
    /// broken percent sequence, bytes that are no UTF-8, a `~` that escapes nothing.
    static @Nullable String ofFragment(String fragment) {
        String pointer = percentDecoded(fragment);
        if (pointer == null || (!pointer.isEmpty() && pointer.charAt(0) != '/')) {
            return null;
        }
        for (int i = pointer.indexOf('~'); i >= 0; i = pointer.indexOf('~', i + 1)) {
            if (i + 1 == pointer.length() || (pointer.charAt(i + 1) != '0' && pointer.charAt(i + 1) != '1')) {
                return null;
            }
        }
        return pointer;
    }

    private static @Nullable String percentDecoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        var out = ByteBuffer.allocate(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.put(in[i]);
                continue;
            }
            int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                return null;
            }
            out.put((byte) ((high << 4) | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(out.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
