package dev.postern.app;

import dev.postern.cli.render.Terminal;
import dev.postern.cli.render.Terminal.SecretPrompt;
import dev.postern.secret.source.HostEnvironment;
import org.jspecify.annotations.Nullable;

/// Finds out what is behind the standard streams. The launcher has asked the shell, which knows without loading
/// anything: `postern.terminal` holds the digits of those of the streams 0, 1, 2 that are terminals,
/// `postern.columns` the width. Without the launcher nothing counts as a terminal.
final class SystemTerminal {
    private SystemTerminal() {}

    static Terminal find(HostEnvironment environment) {
        var terminals = System.getProperty("postern.terminal", "");
        boolean input = terminals.contains("0");
        SecretPrompt prompt = SystemTerminal::readSecret;
        var noColour = environment.get("NO_COLOR");
        return new Terminal(
                input,
                terminals.contains("1"),
                terminals.contains("2"),
                width(System.getProperty("postern.columns", "")),
                (noColour == null || noColour.isEmpty()) && !"dumb".equals(environment.get("TERM")),
                input ? prompt : null);
    }

    // JDK 25 gives null again where input or output is no terminal.
    @SuppressWarnings("SystemConsoleNull")
    private static char @Nullable [] readSecret() {
        var console = System.console();
        return console != null && console.isTerminal() ? console.readPassword() : null;
    }

    static int width(String columns) {
        try {
            return Math.max(0, Integer.parseInt(columns));
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }
}
