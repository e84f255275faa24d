package dev.postern.cli.render;

import org.jspecify.annotations.Nullable;

/// What is known about the terminal behind the streams, if there is one.
///
/// @param input standard input is a terminal
/// @param output standard output is a terminal
/// @param error standard error is a terminal
/// @param width columns, 0 when not known
/// @param colour colours are welcome where a stream is a terminal: false under `NO_COLOR` or a dumb terminal
/// @param prompt reads a secret without echo, null where nobody can be asked
public record Terminal(
        boolean input,
        boolean output,
        boolean error,
        int width,
        boolean colour,
        @Nullable SecretPrompt prompt) {
    /// Files or pipes on all sides.
    public static final Terminal NONE = new Terminal(false, false, false, 0, false, null);

    /// Asks a person for a secret.
    public interface SecretPrompt {
        /// What is typed next, without its line end, or null when the input ends first. Nothing is echoed; the
        /// question stands on the terminal already.
        char @Nullable [] read();
    }
}
