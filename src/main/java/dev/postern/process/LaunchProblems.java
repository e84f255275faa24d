package dev.postern.process;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Why a server was not started, for people.
final class LaunchProblems {
    /// As the JDK gives the number of a system's error: `error=11, …`, or `Exec failed, error: 11 (…)`.
    private static final Pattern NUMBER = Pattern.compile("error[=:] ?([0-9]{1,4})\\b");

    /// What may be there again in a moment.
    enum Lack {
        FILES("Too many open files"),
        PROCESSES("Resource temporarily unavailable"),
        MEMORY("Cannot allocate memory");

        private final String words;

        Lack(String words) {
            this.words = words;
        }
    }

    private LaunchProblems() {}

    static Problem hiddenProgram(LaunchSpec spec, String program) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The program of server \"" + spec.server() + "\", " + program
                        + ", lies in Postern's data directory, which servers can't see.",
                "Move it elsewhere, or give the server a directory of its own there and name it as cwd in"
                        + " config.json.");
    }

    static Problem intruder(LaunchSpec spec) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The cwd of server \"" + spec.server() + "\", " + spec.cwd()
                        + ", is a part of the data directory that Postern keeps for itself.",
                "Name another directory as cwd in config.json.");
    }

    static Problem fault(LaunchSpec spec, Throwable fault) {
        return new Problem(
                ErrorCode.INTERNAL,
                "Server \"" + spec.server() + "\" could not be started: "
                        + fault.getClass().getSimpleName() + ".",
                "This is a fault of Postern, or the machine is out of memory or threads; if it is not, please report"
                        + " it.");
    }

    static Problem notStarted(LaunchSpec spec, String program, IOException e) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The program of server \"" + spec.server() + "\", " + program + ", could not be started: " + reason(e)
                        + ".",
                remedy(lackOf(e)));
    }

    /// What ran out, rather than that it can't be done here; null when nothing did. By the number of the system's
    /// error where the JDK gives it: the words beside it are in the user's language.
    static @Nullable Lack lackOf(IOException e) {
        var message = String.valueOf(e.getMessage());
        var number = NUMBER.matcher(message);
        return number.find() ? numbered(Integer.parseInt(number.group(1))) : lackIn(message);
    }

    private static @Nullable Lack numbered(int error) {
        return switch (error) {
            // ENFILE and EMFILE.
            case 23, 24 -> Lack.FILES;
            // EAGAIN, which is 35 on macOS, where 11 is EDEADLK and nothing that a start answers.
            case 11, 35 -> Lack.PROCESSES;
            case 12 -> Lack.MEMORY;
            default -> null;
        };
    }

    /// As [#lackOf], by the words of a program that was run in the C locale.
    static @Nullable Lack lackIn(String words) {
        for (var lack : Lack.values()) {
            if (words.contains(lack.words)) {
                return lack;
            }
        }
        return null;
    }

    private static String remedy(@Nullable Lack lack) {
        return switch (lack) {
            case FILES -> "Raise the number of files that a process may open (`ulimit -n`), and try again.";
            case PROCESSES ->
                "Raise the number of processes and threads of this user (`ulimit -u`), or end some, and try again.";
            case MEMORY -> "Give the machine more memory, or end what takes it, and try again.";
            case null ->
                "Start it by hand to see whether it runs on this machine; a script needs its interpreter in the first"
                        + " line.";
        };
    }

    /// The system's own words. The JDK puts `error=8, ` or `Exec failed, error: 8 (…) ` around them, and
    /// sometimes guesses of its own on further lines.
    static String reason(IOException e) {
        String message =
                String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
        int at = message.lastIndexOf(": ");
        String last = at < 0 ? message : message.substring(at + 2);
        int comma = last.startsWith("error=") ? last.indexOf(", ") : -1;
        String words = comma < 0 ? last : last.substring(comma + 2);
        int open = words.indexOf(" (");
        boolean numbered =
                open > 0 && words.endsWith(")") && words.chars().limit(open).allMatch(Character::isDigit);
        return numbered ? words.substring(open + 2, words.length() - 1) : words;
    }
}
