package dev.postern.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;

/// A person who types.
final class Typing {
    private Typing() {}

    /// Types when it is read.
    static InputStream later(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int available() {
                return 0;
            }
        };
    }

    /// Has typed `early` already, and types `text` when that has been read.
    static InputStream before(String early, String text) {
        return new SequenceInputStream(new ByteArrayInputStream(early.getBytes(StandardCharsets.UTF_8)), later(text));
    }
}
