package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Collects the pages of one `tools/list` and stops at the first thing wrong with them (CAT-1). Confined to the
/// thread that asks for the pages.
///
/// A discovery is whole or it is nothing: a list that was cut at a limit would hide a duplicate in what was
/// cut.
public final class Discovery {
    private final String server;
    private final Limits limits;
    private final Quoting quoting;
    private final List<ObjectNode> tools = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> cursors = new HashSet<>();
    private int pages;
    private long bytes;

    /// @param redact replaces every secret that the server was given: its own words appear in problems
    public Discovery(String server, Limits limits, UnaryOperator<String> redact) {
        this.server = server;
        this.limits = limits;
        this.quoting = new Quoting(redact);
    }

    /// What to do after a page.
    public sealed interface Step {
        /// Ask for the next page with this cursor, which may be empty.
        record More(String cursor) implements Step {}

        /// That was the last page.
        record Complete(List<ObjectNode> tools) implements Step {}

        record Failed(Problem problem) implements Step {}
    }

    /// Takes the `result` of one `tools/list`. An absent or `null` `nextCursor` ends the list.
    ///
    /// @param pageBytes the size of the frame it came in
    public Step addResult(JsonNode result, long pageBytes) {
        JsonNode cursor = result.path("nextCursor");
        if (!cursor.isTextual() && !cursor.isNull() && !cursor.isMissingNode()) {
            return invalid("answered tools/list with a nextCursor that is no text");
        }
        return addPage(result.path("tools"), pageBytes, cursor.isTextual() ? cursor.textValue() : null);
    }

    /// Takes the next page, already apart.
    ///
    /// @param page what the result holds as `tools`
    /// @param nextCursor null at the end; an empty text is a cursor like any other
    public Step addPage(JsonNode page, long pageBytes, @Nullable String nextCursor) {
        pages++;
        bytes += pageBytes;
        if (!page.isArray()) {
            return invalid("answered tools/list without an array \"tools\"");
        }
        Problem over = over(bytes, Limit.DISCOVERY_BYTES, "bytes of tool definitions");
        if (over == null) {
            over = over(tools.size() + page.size(), Limit.TOOLS, "tools");
        }
        if (over == null) {
            // Another page is wanted: it counts now, before it is paid for.
            over = over(nextCursor == null ? pages : pages + 1, Limit.PAGES, "pages of tools");
        }
        Problem wrong = over != null ? over : collect(page);
        if (wrong != null) {
            return new Step.Failed(wrong);
        }
        if (nextCursor == null) {
            return new Step.Complete(List.copyOf(tools));
        }
        return cursors.add(nextCursor) ? new Step.More(nextCursor) : repeated(nextCursor);
    }

    private @Nullable Problem collect(JsonNode page) {
        for (JsonNode entry : page) {
            if (!(entry instanceof ObjectNode tool) || !tool.path("name").isTextual()) {
                return problem(
                        ErrorCode.DISCOVERY_INVALID,
                        "listed something as tool number " + (tools.size() + 1)
                                + (entry.isObject() ? " that has no name" : " that is no JSON object"),
                        "This is a fault of the server: report it to its authors, or use another version.");
            }
            String name = tool.get("name").textValue();
            if (!names.add(name)) {
                return problem(
                        ErrorCode.DISCOVERY_DUPLICATE,
                        "listed two tools named \"" + quoting.line(name, 128) + "\"",
                        "Nobody could tell which one a call means: report it to the server's authors, or use another"
                                + " version.");
            }
            tools.add(tool);
        }
        return null;
    }

    private @Nullable Problem over(long seen, Limit limit, String unit) {
        int most = limits.get(limit);
        return seen <= most
                ? null
                : problem(
                        ErrorCode.DISCOVERY_LIMIT,
                        "listed at least " + seen + " " + unit + ", over the limit of " + most + " (" + limit.key()
                                + ")",
                        "Raise " + limit.key() + " for this server in config.json (at most " + limit.ceiling()
                                + "), or have it offer fewer tools.");
    }

    private Step repeated(String cursor) {
        return new Step.Failed(problem(
                ErrorCode.DISCOVERY_CURSOR,
                "gave the cursor \"" + quoting.line(cursor, 80) + "\" a second time, after " + pages
                        + " pages of tools",
                "Its list would never end: report it to the server's authors, or use another version."));
    }

    private Step invalid(String what) {
        return new Step.Failed(problem(
                ErrorCode.DISCOVERY_INVALID,
                what,
                "This is a fault of the server: report it to its authors, or use another version."));
    }

    private Problem problem(ErrorCode code, String what, String next) {
        return new Problem(code, "The server " + server + " " + what + ".", next);
    }
}
