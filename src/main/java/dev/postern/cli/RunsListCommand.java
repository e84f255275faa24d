package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Table;
import dev.postern.host.Records.Page;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `runs list`: what ran, newest first. Needs no configuration, starts nothing, makes nothing.
final class RunsListCommand implements Command {
    private static final String LIMIT = "--limit";
    private static final String CURSOR = "--cursor";
    private static final int STANDARD_LIMIT = 20;

    /// A page of that many is still written in no time.
    private static final int MOST = 1_000;

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this, "list", "List the recorded runs, newest first.", "Each `call` is a run of one call.")
                .addOption(Shapes.valued(LIMIT, "N", "At most so many. Default: " + STANDARD_LIMIT + "."))
                .addOption(Shapes.valued(CURSOR, "CURSOR", "Go on where an earlier list ended."));
    }

    @Override
    public int run(Line line, Session session) {
        @Nullable String wanted = line.option(LIMIT);
        int limit = limit(wanted);
        if (limit == 0) {
            return session.fail(new Problem(
                    ErrorCode.USAGE,
                    LIMIT + " is \"" + wanted + "\", which is no whole number from 1 to " + MOST + ".",
                    "Give such a number, or leave it out."));
        }
        @Nullable String cursor = line.option(CURSOR);
        if (cursor != null && !RecordId.RUN.isWhole(cursor)) {
            return session.fail(new Problem(
                    ErrorCode.USAGE,
                    CURSOR + " is \"" + cursor + "\", with which no list ended.",
                    "Take it from the end of the list before, or leave it out to begin with the newest run."));
        }
        return session.withRecords(records -> switch (records.runs(limit, cursor)) {
            case Answer.Not<Page> not -> session.fail(not.problem());
            case Answer.Here<Page> page -> print(session.console(), page.value());
        });
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return STANDARD_LIMIT;
        }
        boolean number = text.matches("[0-9]{1,4}");
        int limit = number ? Integer.parseInt(text) : 0;
        return limit <= MOST ? limit : 0;
    }

    private static int print(Console console, Page page) {
        if (console.json()) {
            var object = JsonNodeFactory.instance.objectNode();
            var items = object.putArray("items");
            page.items().forEach(run -> items.add(RecordText.object(run)));
            console.json(object.put("nextCursor", page.nextCursor()));
        } else if (page.items().isEmpty()) {
            console.out().line("No runs are recorded. Each `postern call` is one.");
        } else {
            var table = new Table("RUN", "STARTED", "TRIGGER", "STATE", "CALLS");
            for (var run : page.items()) {
                table.row(
                        run.id(),
                        ServerText.time(run.started()),
                        run.trigger(),
                        RecordText.orOpen(run.state()),
                        RecordText.calls(run));
            }
            table.print(console.out(), console.width());
            if (page.nextCursor() != null) {
                console.out()
                        .end()
                        .styled(
                                Style.DIM,
                                console.hint("More: `postern runs list " + CURSOR + " " + page.nextCursor() + "`"))
                        .end();
            }
        }
        return ExitCode.DONE;
    }
}
