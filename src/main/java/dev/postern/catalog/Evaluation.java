package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.catalog.ToolSchema.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One validation under way: its budget, what it has found, and whether findings matter right now. Confined to
/// the validating thread.
final class Evaluation {
    static final int MAX_VIOLATIONS = 16;

    /// A step is about one comparison. A megabyte of arguments against an ordinary schema takes some hundred
    /// thousand; all of these take well under a second.
    static final long BUDGET = 20_000_000;

    /// With the `…` of one that was cut, as many as [Violation] promises.
    private static final int MAX_MESSAGE = 399;

    private final Quoting quoting;
    private final List<Violation> found = new ArrayList<>();
    private long left = BUDGET;
    private int quiet;

    private Evaluation(Quoting quoting) {
        this.quoting = quoting;
    }

    /// A part of a message that is the text of a server or a caller: made fit only when the message is wanted.
    private record Foreign(String text, int limit, String quote) {
        private String shown(Quoting quoting) {
            return quote + quoting.line(text, limit) + quote;
        }
    }

    /// For [#fail]: the name of a property, in double quotes.
    static Object name(String name) {
        return new Foreign(name, 64, "\"");
    }

    /// For [#fail]: anything else that is not ours, up to `limit` code points of it.
    static Object foreign(String text, int limit) {
        return new Foreign(text, limit, "");
    }

    /// Ends the validation from anywhere below [#run]: sixteen violations are enough, and so is the budget.
    private static final class Settled extends RuntimeException {
        private Settled() {
            super(null, null, false, false);
        }
    }

    static List<Violation> run(CompiledSchema schema, JsonNode instance, Quoting quoting) {
        var run = new Evaluation(quoting);
        try {
            schema.test(run, instance, At.ROOT, null);
        } catch (Settled end) {
            if (run.left < 0) {
                return List.of(new Violation(
                        "", "takes more than " + BUDGET + " steps to check against the schema; send less at once"));
            }
        }
        return List.copyOf(run.found);
    }

    /// For messages whose parts are not known before they are wanted.
    Quoting quoting() {
        return quoting;
    }

    void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw new Settled();
        }
    }

    /// Inside an alternative: a mismatch is no violation by itself, so that the first one decides.
    boolean quiet() {
        return quiet > 0;
    }

    /// Tests an alternative.
    boolean quietly(CompiledSchema schema, JsonNode value, At at, @Nullable Evaluated seen) {
        quiet++;
        boolean fits = schema.test(this, value, at, seen);
        quiet--;
        return fits;
    }

    /// Notes a violation where one is wanted.
    ///
    /// @param message parts, put together only then
    /// @return false, for the caller to return
    boolean fail(At at, Object... message) {
        if (quiet > 0) {
            return false;
        }
        var text = new StringBuilder();
        for (Object part : message) {
            text.append(part instanceof Foreign foreign ? foreign.shown(quoting) : part);
        }
        found.add(new Violation(at.pointer(quoting), quoting.cut(text.toString(), MAX_MESSAGE)));
        if (found.size() == MAX_VIOLATIONS) {
            throw new Settled();
        }
        return false;
    }
}
