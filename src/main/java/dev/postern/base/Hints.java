package dev.postern.base;

import java.util.Set;

/// The commands in what messages tell to do, completed so that they do what is meant when somebody copies them.
/// Whoever writes a message writes `` `postern mcp discover files` `` and need not know the data directory.
public final class Hints {
    private static final String NAME = "postern ";

    /// What has business with a data directory; other words in such a place are examples or have none.
    private static final Set<String> CONCERNED =
            Set.of("mcp", "call", "runs", "calls", "config", "credential", "worker", "doctor");

    private Hints() {}

    /// `text` with `--data-dir` in each command of ours that it names between backticks, also behind a pipe, as
    /// a shell takes it. Help is the same everywhere and asked for without.
    ///
    /// @param directory absolute
    public static String in(String directory, String text) {
        var completed = new StringBuilder();
        int done = 0;
        for (int at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, at + 1)) {
            int words = at + NAME.length();
            int end = text.indexOf('`', words);
            var before = text.substring(0, at);
            if (end > 0 && (before.endsWith("`") || before.endsWith("| ")) && isConcerned(text.substring(words, end))) {
                completed.append(text, done, words).append("--data-dir ").append(ShellText.quoted(directory));
                completed.append(' ');
                done = words;
            }
        }
        return completed.append(text, done, text.length()).toString();
    }

    private static boolean isConcerned(String command) {
        int first = command.indexOf(' ');
        return CONCERNED.contains(first < 0 ? command : command.substring(0, first))
                && !command.contains("--help")
                && !command.contains("--data-dir");
    }
}
