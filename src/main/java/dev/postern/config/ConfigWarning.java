package dev.postern.config;

import dev.postern.base.VisibleText;

/// Something in an accepted configuration that its owner should look at. Holds no value that may be a secret;
/// for the place see [ConfigProblem].
///
/// @param next what to write instead
public record ConfigWarning(String source, String pointer, int line, int column, String message, String next) {
    /// One line for people.
    public String text() {
        return source + ":" + line + ":" + column + ": " + (pointer.isEmpty() ? "" : VisibleText.of(pointer) + ": ")
                + message + ". " + next;
    }
}
