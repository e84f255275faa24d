package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// What was given to a command that lists records page by page.
///
/// @param cursor the id that an earlier page ended with, null for the first page
record ListShape(int limit, @Nullable String cursor) {
    private static final String LIMIT = "--limit";
    private static final String CURSOR = "--cursor";
    private static final int STANDARD_LIMIT = 20;

    /// A page of that many is still written in no time.
    private static final int MOST = 1_000;

    static CommandSpec addOptions(CommandSpec spec) {
        return spec.addOption(Shapes.valued(LIMIT, "N", "At most so many. Default: " + STANDARD_LIMIT + "."))
                .addOption(Shapes.valued(CURSOR, "CURSOR", "Go on where an earlier list ended."));
    }

    /// @param listed what is listed
    static Answer<ListShape> of(Line line, RecordId listed) {
        @Nullable String wanted = line.option(LIMIT);
        int limit = limit(wanted);
        if (limit == 0) {
            return wrong(
                    LIMIT + " is \"" + wanted + "\", which is no whole number from 1 to " + MOST + ".",
                    "Give such a number, or leave it out.");
        }
        var cursor = line.option(CURSOR);
        return cursor != null && !listed.isWhole(cursor)
                ? wrong(
                        CURSOR + " is \"" + cursor + "\", with which no list ended.",
                        "Take it from the end of the list before, or leave it out to begin with the newest.")
                : new Answer.Here<>(new ListShape(limit, cursor));
    }

    private static Answer<ListShape> wrong(String what, String next) {
        return new Answer.Not<>(new Problem(ErrorCode.USAGE, what, next));
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return STANDARD_LIMIT;
        }
        boolean number = text.matches("[0-9]{1,4}");
        int limit = number ? Integer.parseInt(text) : 0;
        return limit <= MOST ? limit : 0;
    }

    /// Tells how to go on, if there is more.
    static void more(Console console, String command, @Nullable String nextCursor) {
        if (nextCursor != null) {
            console.out()
                    .end()
                    .styled(
                            Style.DIM,
                            console.hint("More: `postern " + command + " " + CURSOR + " " + nextCursor + "`"))
                    .end();
        }
    }
}
