package dev.postern.cli;

import dev.postern.base.ErrorCode;
import dev.postern.base.ErrorKind;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.host.Host;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Set;

/// What a server wrote to standard error: hidden unless asked for (PRC-6).
final class StderrTail {
    /// Nothing was running that could have written anything.
    private static final Set<ErrorCode> NOTHING_RAN = EnumSet.of(
            ErrorCode.START_COMMAND_NOT_FOUND,
            ErrorCode.START_SPAWN,
            ErrorCode.SERVER_UNSUPPORTED,
            ErrorCode.SECRET_MISSING,
            ErrorCode.SECRET_REFUSED);

    private StderrTail() {}

    /// The problem, with the flag among the next steps where it would help and was not given.
    static Problem withHint(Problem problem, boolean shown) {
        boolean named = problem.next().contains(Shapes.SHOW_STDERR);
        if (shown) {
            return named ? withNext(problem, withoutFlag(problem.next())) : problem;
        }
        boolean useful = problem.code().kind() == ErrorKind.UNAVAILABLE && !NOTHING_RAN.contains(problem.code());
        if (!useful || named) {
            return problem;
        }
        var hint = "Run it again with " + Shapes.SHOW_STDERR + " to see what the server wrote to standard error.";
        return withNext(problem, problem.next().isBlank() ? hint : problem.next() + " " + hint);
    }

    private static Problem withNext(Problem problem, String next) {
        return new Problem(problem.code(), problem.message(), next);
    }

    /// Without the sentences that name the flag.
    private static String withoutFlag(String next) {
        var kept = new ArrayList<String>();
        for (var sentence : next.split("(?<=\\.) ", -1)) {
            if (!sentence.contains(Shapes.SHOW_STDERR)) {
                kept.add(sentence);
            }
        }
        return String.join(" ", kept);
    }

    /// Prints the redacted tail on standard error, framed, so that it is not taken for words of ours.
    static void show(Console console, Host host, String server) {
        var tail = host.stderrTail(server).stripTrailing();
        if (tail.isEmpty()) {
            console.note("Server " + server + " wrote nothing to standard error.");
            return;
        }
        console.err()
                .styled(Style.DIM, "--- standard error of server " + server + " ---")
                .end();
        console.err().line(tail);
        console.err().styled(Style.DIM, "--- end ---").end();
    }
}
