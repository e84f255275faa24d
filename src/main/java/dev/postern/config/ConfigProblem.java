package dev.postern.config;

import dev.postern.base.VisibleText;

/// One mistake in the configuration, and its exact place. Holds no value that may be a secret.
///
/// @param source the file or the environment variable
/// @param pointer where, as a JSON pointer (RFC 6901); empty for the whole document. Long keys in it are cut.
/// @param line from 1
/// @param column from 1, in code points
/// @param message what was seen
/// @param expected what would be accepted there
public record ConfigProblem(String source, String pointer, int line, int column, String message, String expected) {
    /// One line for people: `config.json:3:16: /mcpServers/0/enabled: is a string; expected true or false`.
    public String text() {
        return source + ":" + line + ":" + column + ": " + (pointer.isEmpty() ? "" : VisibleText.of(pointer) + ": ")
                + message + "; expected " + expected;
    }
}
