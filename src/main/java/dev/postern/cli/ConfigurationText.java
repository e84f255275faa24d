package dev.postern.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.config.ConfigProblem;
import dev.postern.config.ConfigResult;
import dev.postern.config.ConfigWarning;
import java.util.List;

/// How mistakes in the configuration are told: all of them at once, each with its place (CFG-1).
final class ConfigurationText {
    private ConfigurationText() {}

    /// Tells every problem and gives the exit code.
    static int tell(Console console, ConfigResult.Rejected rejected) {
        var problem = rejected.problem();
        if (console.json()) {
            var object = console.error(problem);
            object.set("problems", problems(console, rejected.problems()));
            object.put("omittedProblems", rejected.omitted());
            console.json(object);
            return ExitCode.of(problem);
        }
        int count = rejected.problems().size() + rejected.omitted();
        for (var each : rejected.problems()) {
            console.err().line(console.hint(each.text()));
        }
        if (rejected.omitted() > 0) {
            console.err().line("… and " + rejected.omitted() + " more.");
        }
        console.err().styled(Style.BAD, "error:");
        console.err()
                .line(" The configuration has " + (count == 1 ? "a problem" : count + " problems")
                        + "; nothing was started.");
        console.err()
                .line(console.hint("  Correct " + (count == 1 ? "it" : "them") + ", then run `postern config check`."));
        return ExitCode.of(problem);
    }

    /// Tells that what is in force is not what the file says by now (CFG-5).
    static void tellChanged(Console console) {
        console.note("config.json has changed since it was read; what is shown is in force until the process that owns"
                + " the servers ends. Check the new one with `postern config check`.");
    }

    static void warn(Console console, List<ConfigWarning> warnings) {
        for (var warning : warnings) {
            console.err().styled(Style.WARN, "warning:").line(" " + console.hint(warning.text()));
        }
    }

    private static ArrayNode problems(Console console, List<ConfigProblem> problems) {
        var array = JsonNodeFactory.instance.arrayNode();
        for (var problem : problems) {
            array.addObject()
                    .put("source", problem.source())
                    .put("pointer", problem.pointer())
                    .put("line", problem.line())
                    .put("column", problem.column())
                    .put("message", problem.message())
                    .put("expected", console.hint(problem.expected()));
        }
        return array;
    }

    static ArrayNode warnings(Console console, List<ConfigWarning> warnings) {
        var array = JsonNodeFactory.instance.arrayNode();
        for (var warning : warnings) {
            array.addObject()
                    .put("source", warning.source())
                    .put("pointer", warning.pointer())
                    .put("line", warning.line())
                    .put("column", warning.column())
                    .put("message", warning.message())
                    .put("next", console.hint(warning.next()));
        }
        return array;
    }
}
