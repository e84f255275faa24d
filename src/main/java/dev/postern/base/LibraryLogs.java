package dev.postern.base;

/// Keeps libraries from logging: what they have to say comes as values and exceptions, and a log of theirs could
/// hold what a redactor has not seen.
public final class LibraryLogs {
    private LibraryLogs() {}

    /// To be called before a class of such a library is loaded. Without it SLF4J would wake up whatever logs here,
    /// while the start of a process in another thread does the same from the other end: each then waits for the
    /// other for ever.
    public static void silence() {
        if (System.getProperty("slf4j.provider") == null) {
            System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
            System.setProperty("slf4j.internal.verbosity", "ERROR");
        }
    }
}
