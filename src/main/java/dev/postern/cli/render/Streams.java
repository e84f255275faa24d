package dev.postern.cli.render;

import java.io.InputStream;
import java.io.OutputStream;

/// The three standard streams of one command, as bytes. The output streams should report failures to write by
/// throwing, as a `FileOutputStream` does; a `PrintStream` hides them, and then every failure is taken for a
/// reader that has gone.
public record Streams(InputStream in, OutputStream out, OutputStream err) {}
