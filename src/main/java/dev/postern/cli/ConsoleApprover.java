package dev.postern.cli;

import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Style;
import dev.postern.host.Host;
import dev.postern.run.Approver;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asks the person at the terminal, on standard error (APR-2).
final class ConsoleApprover implements Approver {
    /// A line that long is no answer.
    private static final int LONGEST_LINE = 1_000;

    /// Then the answer is no.
    private static final int ATTEMPTS = 3;

    private final Console console;
    private final EventText text;

    /// The read that was begun last. One can't be interrupted: where its question is over, it is there for the next.
    private @Nullable CompletableFuture<@Nullable String> reading;

    private ConsoleApprover(Console console, EventText text) {
        this.console = console;
        this.text = text;
    }

    /// Whoever can be asked: the person at the terminal, another command, or nobody.
    ///
    /// @param wait questions may wait for another command
    static Approver of(Console console, Host host, boolean wait, EventText text) {
        if (console.terminal().input() && console.terminal().error()) {
            return new ConsoleApprover(console, text);
        }
        if (!wait) {
            return (question, cancellation) -> new Verdict.Nobody(nobody(question));
        }
        return host.status().ownerPid() == null
                ? (question, cancellation) -> new Verdict.Nobody(noWorker(question))
                : (question, cancellation) -> {
                    text.asked(question);
                    return host.approvals().ask(question, cancellation);
                };
    }

    private static Problem nobody(Question question) {
        return new Problem(
                ErrorCode.POLICY_APPROVAL,
                needs(question) + ", and there is no terminal to ask at. Nothing was sent.",
                "Allow it with " + AgentShapes.ALLOW + " " + question.server() + "/" + question.tool()
                        + ", or let it wait for an answer with " + AgentShapes.WAIT + ".");
    }

    private static Problem noWorker(Question question) {
        return new Problem(
                ErrorCode.POLICY_APPROVAL,
                needs(question) + ", and without a worker nobody can give it. Nothing was sent.",
                "Start the worker with `postern worker start`, or allow it with " + AgentShapes.ALLOW + " "
                        + question.server() + "/" + question.tool() + ".");
    }

    private static String needs(Question question) {
        return "The call of the tool \"" + question.tool() + "\" of the server \"" + question.server()
                + "\" needs the owner's approval";
    }

    @Override
    public Verdict ask(Question question, Cancellation cancellation) {
        text.rest();
        console.out().flush();
        dropWhatWasTypedBefore();
        var err = console.err();
        err.styled(Style.WARN, "May the model call " + question.server() + " " + question.tool() + "?")
                .end();
        err.line("  " + JsonText.pretty(question.arguments()).replace("\n", "\n  "));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            err.text("[y]es, [n]o, or [a]ll further calls of this tool in this run: ")
                    .flush();
            var answer = read(question, cancellation);
            if (answer == null) {
                err.end();
                return new Verdict.Silence();
            }
            switch (answer.strip().toLowerCase(Locale.ROOT)) {
                case "y", "yes" -> {
                    return new Verdict.Yes();
                }
                case "a", "all" -> {
                    return new Verdict.YesForRun();
                }
                case "n", "no" -> {
                    return new Verdict.No();
                }
                default -> err.line("Please answer y, n or a.");
            }
        }
        return new Verdict.No();
    }

    /// Nobody can have meant it as the word on a call that was not shown yet (APR-1).
    private void dropWhatWasTypedBefore() {
        if (reading != null && !reading.isDone()) {
            // So nothing was typed, and what comes next answers this question.
            return;
        }
        reading = null;
        try {
            var in = console.in();
            for (int typed = in.available(); typed > 0; typed = in.available()) {
                if (in.read(new byte[Math.min(typed, LONGEST_LINE)]) < 0) {
                    return;
                }
            }
        } catch (IOException e) {
            // The read that follows meets it too.
        }
    }

    /// What is typed next, null when nothing comes in time, the run is cancelled, or the input has ended.
    private @Nullable String read(Question question, Cancellation cancellation) {
        var line = reading;
        if (line == null || line.isDone()) {
            var begun = new CompletableFuture<@Nullable String>();
            Threads.platform("postern-approval", () -> begun.complete(line()));
            line = begun;
            reading = begun;
        }
        var answer = line.copy();
        answer.completeOnTimeout(null, question.patience().toMillis(), TimeUnit.MILLISECONDS);
        try (var _ = cancellation.listen(() -> answer.complete(null))) {
            return answer.join();
        }
    }

    private @Nullable String line() {
        var line = new StringBuilder();
        try {
            int c = console.in().read();
            while (c >= 0 && c != '\n' && line.length() < LONGEST_LINE) {
                line.append((char) c);
                c = console.in().read();
            }
            return c < 0 && line.isEmpty() ? null : line.toString();
        } catch (IOException e) {
            return null;
        }
    }
}
