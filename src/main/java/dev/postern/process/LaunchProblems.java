package dev.postern.process;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import java.io.IOException;

/// Why a server was not started, for people.
final class LaunchProblems {
    /// EMFILE and ENFILE, which adds `in system`.
    private static final String NO_FILES = "Too many open files";

    private static final String NO_PROCESSES = "Resource temporarily unavailable";
    private static final String NO_MEMORY = "Cannot allocate memory";

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

    static Problem notStarted(LaunchSpec spec, String program, String why) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The program of server \"" + spec.server() + "\", " + program + ", could not be started: " + why + ".",
                remedy(why));
    }

    /// Whether these words of the system or of a wrapper tell that something ran out, rather than that it can't be
    /// done here.
    static boolean scarcity(String words) {
        return words.contains(NO_FILES) || words.contains(NO_PROCESSES) || words.contains(NO_MEMORY);
    }

    private static String remedy(String why) {
        if (why.contains(NO_FILES)) {
            return "Raise the number of files that a process may open (`ulimit -n`), and try again.";
        }
        if (why.contains(NO_PROCESSES)) {
            return "Raise the number of processes and threads of this user (`ulimit -u`), or end some, and try again.";
        }
        return "Start it by hand to see whether it runs on this machine; a script needs its interpreter in the first"
                + " line.";
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
