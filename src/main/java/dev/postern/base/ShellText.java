package dev.postern.base;

/// Words as a POSIX shell reads them back, for the commands that messages tell to run.
public final class ShellText {
    private ShellText() {}

    /// `word`, in quotation marks unless every shell takes it as it is. Names with letters beyond ASCII are
    /// quoted too: a shell may take some of their bytes for something else.
    public static String quoted(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!isPlain(word.charAt(i))) {
                return "'" + word.replace("'", "'\\''") + "'";
            }
        }
        return word.isEmpty() ? "''" : word;
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "/._-+,@%=:".indexOf(c) >= 0;
    }
}
