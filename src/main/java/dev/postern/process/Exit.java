package dev.postern.process;

import org.jspecify.annotations.Nullable;

/// How a process ended, as far as anyone can tell: the shell, `bwrap` and the JDK all report the end by signal N
/// as status 128 + N, and a program that ends with such a code does so to pass on that its own child died so.
///
/// @param status 0 to 255
public record Exit(int status) {
    static final Exit KILLED = new Exit(137);

    private static final String[] SIGNALS = {
        "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS"
    };

    /// Such as `SIGSEGV`, or null when it ended by itself.
    public @Nullable String signal() {
        int number = status - 128;
        return number > 0 && number < SIGNALS.length ? "SIG" + SIGNALS[number] : null;
    }

    /// To follow “its process”: `ended with exit code 1`, `was ended by SIGSEGV (status 139)`.
    public String describe() {
        String signal = signal();
        return signal == null
                ? "ended with exit code " + status
                : "was ended by " + signal + " (status " + status + ")";
    }
}
