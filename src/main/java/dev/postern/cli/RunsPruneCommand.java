package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.Durations;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import dev.postern.cli.render.Console;
import dev.postern.host.Records.Pruned;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `runs prune`: drops what is older than the configuration keeps, or than the command says (STO-2).
final class RunsPruneCommand implements Command {
    private static final String OLDER_THAN = "--older-than";

    /// Nobody means less; a zero is sooner a slip than a wish to drop everything.
    private static final Duration LEAST = Duration.ofSeconds(1);

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "prune",
                        "Drop old runs and their calls for good, and give the room back.",
                        "Without --older-than, those that \"storage\" in config.json no longer keeps. What has not"
                                + " ended stays.")
                .addOption(Shapes.valued(
                        OLDER_THAN, "AGE", "Drop every run that started longer ago, such as 30d or 12h."));
    }

    @Override
    public int run(Line line, Session session) {
        @Nullable String text = line.option(OLDER_THAN);
        if (text == null) {
            return session.withConfiguration(
                    (directory, ready) -> prune(session, ready.config().retention()));
        }
        var age = age(text);
        return age == null
                ? session.fail(new Problem(
                        ErrorCode.USAGE,
                        OLDER_THAN + " is \"" + text + "\", which is no age from 1s to " + Retention.MOST_DAYS + "d.",
                        "Write a whole number and one of d, h, m, s, such as 30d; 1s drops every run that has ended."))
                : prune(session, Retention.byAge(age));
    }

    private static @Nullable Duration age(String text) {
        var age = text.matches("[0-9]{1,6}d")
                ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
                : Durations.parse(text);
        return age == null || age.compareTo(LEAST) < 0 || age.compareTo(Duration.ofDays(Retention.MOST_DAYS)) > 0
                ? null
                : age;
    }

    private static int prune(Session session, Retention retention) {
        return session.withRecords(records -> {
            Answer<Pruned> pruned;
            try (var _ = session.console().progress("Dropping old runs")) {
                pruned = records.prune(retention);
            }
            return switch (pruned) {
                case Answer.Not<Pruned> not -> session.fail(not.problem());
                case Answer.Here<Pruned> here -> print(session.console(), here.value());
            };
        });
    }

    private static int print(Console console, Pruned pruned) {
        if (console.json()) {
            console.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("prunedRuns", pruned.runs())
                    .put("bytes", pruned.bytes()));
        } else {
            console.out()
                    .line((pruned.runs() == 1 ? "1 run was" : pruned.runs() + " runs were")
                            + " dropped; the records take " + pruned.bytes() + " bytes.");
        }
        return ExitCode.DONE;
    }
}
