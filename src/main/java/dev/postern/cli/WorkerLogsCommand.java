package dev.postern.cli;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// `worker logs`: the end of the worker's log, and with `--follow` what is added to it, until the command is
/// cancelled or its reader has gone.
final class WorkerLogsCommand implements Command {
    private static final String LINES = "--lines";
    private static final String FOLLOW = "--follow";
    private static final int USUAL = 50;
    private static final int MOST = 100_000;

    /// No line of the log is longer than a fraction of this.
    private static final int LONGEST_TAIL = 10 << 20;

    private static final Duration GLANCE = Duration.ofMillis(200);

    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "logs", "Print the end of the worker's log.")
                .addOption(OptionSpec.builder("-n", LINES)
                        .arity("1")
                        .type(String.class)
                        .paramLabel("N")
                        .description("How many lines; " + USUAL + " by default.")
                        .build())
                .addOption(Shapes.flag(FOLLOW, "Go on with what is added, until Ctrl-C."));
    }

    @Override
    public int run(Line line, Session session) {
        int lines = lines(line.option(LINES));
        if (lines < 0) {
            return session.fail(new Problem(
                    ErrorCode.USAGE,
                    LINES + " is no whole number from 0 to " + MOST + ".",
                    "Give one, such as " + LINES + " 100."));
        }
        if (session.console().json()) {
            return session.fail(new Problem(
                    ErrorCode.USAGE, "The log is lines of text, not one JSON object.", "Leave out --json."));
        }
        return session.withDirectory(directory -> {
            var log = session.services().worker().log(directory);
            try {
                print(log, lines, line.has(FOLLOW), session);
                return ExitCode.DONE;
            } catch (NoSuchFileException e) {
                return session.fail(new Problem(
                        ErrorCode.WORKER_ABSENT,
                        "There is no log " + log + ": no worker has run in the background yet.",
                        "Start one with `postern worker start`."));
            } catch (IOException e) {
                return session.fail(new Problem(
                        ErrorCode.WORKER_FAILED,
                        "The log " + log + " can't be read: " + IoReason.of(e) + ".",
                        "Make it readable for yourself."));
            }
        });
    }

    private static int lines(@Nullable String text) {
        if (text == null) {
            return USUAL;
        }
        try {
            int lines = Integer.parseInt(text);
            return lines <= MOST ? lines : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void print(Path log, int lines, boolean follow, Session session) throws IOException {
        if (!Files.exists(log)) {
            throw new NoSuchFileException(log.toString());
        }
        var console = session.console();
        try (var tail = new LogTail(log, bytes -> console.out().text(new String(bytes, StandardCharsets.UTF_8)))) {
            tail.skipTo(lines, LONGEST_TAIL);
            tail.read();
            console.out().flush();
            while (follow && !session.cancellation().requested() && !console.unread()) {
                Threads.pause(GLANCE);
                tail.read();
                console.out().flush();
            }
        }
    }
}
