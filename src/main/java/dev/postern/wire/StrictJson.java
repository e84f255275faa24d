package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/// The one codec between JSON text and trees (WIR-3, RFC 8259): whatever is judged by policy was read by it
/// and whatever is sent was written by it, so both always see the same values.
///
/// Numbers keep their exact value both ways: integers are `IntNode`, `LongNode` or `BigIntegerNode`,
/// everything with a fraction or an exponent is a `DecimalNode` with the scale as written. What was read
/// holds no number that arithmetic could blow up: at most 64 digits, exponent within ±400.
public final class StrictJson {
    /// Deeper text is refused, so that no recursion over a tree can exhaust a stack.
    public static final int MAX_DEPTH = 64;

    /// More digits are refused: nobody counts with them, and arithmetic on them is what attacks are made of.
    public static final int MAX_DIGITS = 64;

    /// Larger exponents are refused: IEEE doubles end at 308, and `1e999999999` fills the heap once expanded.
    public static final int MAX_EXPONENT = 400;

    private StrictJson() {}

    /// What text turned out to be.
    public sealed interface Parsed {}

    public record Valid(JsonNode value) implements Parsed {}

    /// Not JSON by our rules.
    ///
    /// @param reason in our own words; shows at most one character of the text
    /// @param line of the fault, from 1
    /// @param column of the fault, from 1, in code points; a byte order mark has no column
    public record Malformed(String reason, int line, int column) implements Parsed {
        /// For people: `line 1, column 9: unexpected '}', expected a value`.
        public String describe() {
            return "line " + line + ", column " + column + ": " + reason;
        }
    }

    /// Reads one JSON value from UTF-8. One byte order mark at the start is skipped.
    public static Parsed parse(byte[] text) {
        return parse(text, 0, text.length);
    }

    /// Reads one JSON value from part of an array, which is not kept.
    public static Parsed parse(byte[] text, int offset, int length) {
        int end = offset + length;
        int start = startsWithMark(text, offset, end) ? offset + 3 : offset;
        int fault = invalidUtf8(text, start, end);
        if (fault >= 0) {
            return malformed(text, start, fault, "invalid UTF-8");
        }
        var reader = new JsonReader(text, start, end);
        try {
            return new Valid(reader.document());
        } catch (JsonReader.Fault thrown) {
            return malformed(text, start, thrown.offset, thrown.reason);
        }
    }

    /// Reads one JSON value from text that is decoded already, such as an argument on the command line.
    public static Parsed parse(String text) {
        int unpaired = unpairedSurrogate(text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (unpaired < 0) {
            return parse(bytes);
        }
        int start = startsWithMark(bytes, 0, bytes.length) ? 3 : 0;
        int fault = text.substring(0, unpaired).getBytes(StandardCharsets.UTF_8).length;
        return malformed(bytes, start, fault, "unpaired surrogate");
    }

    /// Compact UTF-8 without a line break.
    ///
    /// @throws IllegalArgumentException when the tree holds what JSON can't say: NaN, an infinity, an
    ///     unpaired surrogate, a node that stands for no JSON value, endless nesting. Trees that were read
    ///     never do.
    public static byte[] bytes(JsonNode value) {
        return text(value).getBytes(StandardCharsets.UTF_8);
    }

    /// The same as [#bytes], as a string.
    public static String text(JsonNode value) {
        return new JsonWriter().write(value);
    }

    /// The index of the first surrogate without its partner, or -1.
    static int unpairedSurrogate(String text) {
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (Character.MIN_SURROGATE <= c && c <= Character.MAX_SURROGATE) {
                return i;
            }
            i += Character.charCount(c);
        }
        return -1;
    }

    private static boolean startsWithMark(byte[] text, int offset, int end) {
        return end - offset >= 3
                && text[offset] == (byte) 0xEF
                && text[offset + 1] == (byte) 0xBB
                && text[offset + 2] == (byte) 0xBF;
    }

    /// The offset of the first byte that is not UTF-8, or -1. Decodes through a small window: the whole text
    /// is never held a second time.
    private static int invalidUtf8(byte[] text, int start, int end) {
        int ascii = start;
        while (ascii < end && text[ascii] >= 0) {
            ascii++;
        }
        if (ascii == end) {
            return -1;
        }
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var in = ByteBuffer.wrap(text, ascii, end - ascii);
        var window = CharBuffer.allocate(Math.min(end - ascii, 4_096) + 1);
        while (true) {
            var result = decoder.decode(in, window, true);
            if (result.isError()) {
                return in.position();
            }
            if (result.isUnderflow()) {
                return -1;
            }
            window.clear();
        }
    }

    private static Malformed malformed(byte[] text, int start, int fault, String reason) {
        int line = 1;
        int column = 1;
        for (int i = start; i < fault; i++) {
            if (text[i] == '\n') {
                line++;
                column = 1;
            } else if ((text[i] & 0xC0) != 0x80) {
                column++;
            }
        }
        return new Malformed(reason, line, column);
    }
}
