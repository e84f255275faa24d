package dev.postern.cli.render;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/// The three standard streams of one command, as bytes. The output streams should report failures to write by
/// throwing, as a `FileOutputStream` does; a `PrintStream` hides them, and then every failure is taken for a
/// reader that has gone.
///
/// @param unread whether nobody can read any more what is written to `out`, where that can be told without
///     writing
public record Streams(InputStream in, OutputStream out, OutputStream err, BooleanSupplier unread) {
    /// Streams that only tell when something is written.
    public Streams(InputStream in, OutputStream out, OutputStream err) {
        this(in, out, err, () -> false);
    }
}
