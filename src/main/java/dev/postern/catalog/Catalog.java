package dev.postern.catalog;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one server offers under its allow list, as it was when it was discovered. A run keeps the one it
/// started with (CAT-4). Immutable; safe for use by many threads.
///
/// @param tools allowed and fit, in the server's order
/// @param excluded allowed but unfit, in the server's order (CAT-3)
/// @param missing allowed but not listed by the server, in the order of the allow list (CAT-2)
/// @param listed everything the server lists, in its order, for deciding what to allow
public record Catalog(
        String server, List<Tool> tools, List<Excluded> excluded, List<String> missing, List<Listed> listed) {

    public Catalog {
        tools = List.copyOf(tools);
        excluded = List.copyOf(excluded);
        missing = List.copyOf(missing);
        listed = List.copyOf(listed);
    }

    /// A listed tool, fit or not, allowed or not; both texts are the server's, whole and untrusted.
    public record Listed(String name, String description) {}

    /// The offered tool of that exact name, or null.
    public @Nullable Tool tool(String name) {
        for (Tool tool : tools) {
            if (tool.name().equals(name)) {
                return tool;
            }
        }
        return null;
    }

    /// Why the allowed tool of that exact name is not offered, or null.
    public @Nullable Excluded excluded(String name) {
        for (Excluded one : excluded) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        return null;
    }

    /// One problem for each allowed tool that can't be called.
    public List<Problem> diagnostics() {
        var problems = new ArrayList<Problem>();
        for (Excluded one : excluded) {
            problems.add(problem(one));
        }
        for (String name : missing) {
            problems.add(missingProblem(name));
        }
        return List.copyOf(problems);
    }

    /// Why a call to `name` is refused, or null when [#tool] has it.
    public @Nullable Problem refusal(String name) {
        Excluded one = excluded(name);
        if (one != null) {
            return problem(one);
        }
        return tool(name) == null ? missingProblem(name) : null;
    }

    private Problem problem(Excluded one) {
        return new Problem(
                ErrorCode.TOOL_EXCLUDED,
                "The tool " + VisibleText.line(one.name(), 128) + " of the server " + server + " is not offered. "
                        + one.reason(),
                "Its other tools work. If the reason names a limit, raise it for this server in config.json; otherwise"
                        + " report it to the server's authors, or take the tool off the list.");
    }

    private Problem missingProblem(String name) {
        return new Problem(
                ErrorCode.TOOL_MISSING,
                "The server " + server + " does not list the tool " + VisibleText.line(name, 128) + ".",
                "Check its spelling, upper and lower case included: `postern mcp discover " + server
                        + "` prints every tool the server lists.");
    }
}
