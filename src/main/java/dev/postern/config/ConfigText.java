package dev.postern.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A text of configuration, where it came from, and where in it things are. Immutable.
public final class ConfigText {
    /// The most bytes of a text: some hundred times what sixty-four servers with long tool lists need, and
    /// little enough to hold in memory several times over.
    public static final int MAX_BYTES = 1 << 20;

    private final String source;
    private final Path base;
    private final String text;
    private final boolean whole;

    private ConfigText(String source, Path base, String text, boolean whole) {
        this.source = source;
        this.base = base;
        this.text = text;
        this.whole = whole;
    }

    /// A text that is characters already, such as a variable's value.
    ///
    /// @param source how problems name it: a file's path, a variable's name
    /// @param base the absolute directory beside which relative paths in it resolve (CFG-4)
    public static ConfigText of(String source, Path base, String text) {
        return new ConfigText(source, base, withoutMark(text), true);
    }

    /// The same from bytes, which should be UTF-8. What is not ends the text, and [#whole] is false.
    public static ConfigText ofUtf8(String source, Path base, byte[] bytes) {
        var out = CharBuffer.allocate(bytes.length);
        var result = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), out, true);
        return new ConfigText(source, base, withoutMark(out.flip().toString()), !result.isError());
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    public String source() {
        return source;
    }

    public Path base() {
        return base;
    }

    String text() {
        return text;
    }

    /// False when bytes that are not UTF-8 follow what [#text] holds.
    boolean whole() {
        return whole;
    }

    /// The place of the character at `offset`; the end of the text has a place too.
    Position position(int offset) {
        int line = 1;
        int start = 0;
        for (int i = 0; i < offset; i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n'))) {
                line++;
                start = i + 1;
            }
        }
        return new Position(line, text.codePointCount(start, offset) + 1);
    }

    /// A place for people: both numbers start at 1, columns count code points.
    record Position(int line, int column) {}
}
