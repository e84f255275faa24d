package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.Outcome;
import dev.postern.call.ToolResult;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Printer;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// How a call's end is shown: the tool's words on standard output, ours on standard error; or the one object of
/// CLI-8.
final class CallText {
    private CallText() {}

    /// Prints the report and gives the exit code.
    ///
    /// @param resultBytes the limit that the result had to fit
    static int print(Console console, CallReport report, int resultBytes, boolean stderrShown) {
        if (console.json()) {
            console.json(object(console, report, stderrShown));
        } else {
            text(console, report.outcome(), resultBytes, stderrShown);
        }
        return ExitCode.of(report.outcome());
    }

    /// `{callId, server, tool, outcome, code?, message?, next?, content[], structuredContent?, truncated,
    /// omittedContent, omittedStructuredContent, redacted, durationMs}`.
    static ObjectNode object(Console console, CallReport report, boolean stderrShown) {
        var object = JsonNodeFactory.instance
                .objectNode()
                .put("callId", report.callId())
                .put("server", report.server())
                .put("tool", report.tool())
                .put("outcome", report.outcome().word());
        var problem = problem(report.outcome());
        if (problem != null) {
            object.setAll(console.object(StderrTail.withHint(problem, stderrShown)));
        }
        result(object, resultOf(report.outcome()));
        object.put("durationMs", report.durationMillis());
        return object;
    }

    private static void result(ObjectNode object, @Nullable ToolResult result) {
        if (result == null) {
            object.putArray("content");
            object.put("truncated", false).putObject("omittedContent");
            object.put("omittedStructuredContent", false).put("redacted", 0);
            return;
        }
        object.set("content", result.content());
        if (result.structuredContent() != null) {
            object.set("structuredContent", result.structuredContent());
        }
        var omitted = object.put("truncated", result.truncated()).putObject("omittedContent");
        result.omittedContent().forEach(omitted::put);
        object.put("omittedStructuredContent", result.omittedStructuredContent())
                .put("redacted", result.redacted());
    }

    private static void text(Console console, Outcome outcome, int resultBytes, boolean stderrShown) {
        switch (outcome) {
            case Outcome.Succeeded succeeded -> {
                content(console.out(), succeeded.result());
                notes(console, succeeded.result(), resultBytes);
                if (isEmpty(succeeded.result())) {
                    console.note("The tool succeeded and returned nothing.");
                }
            }
            case Outcome.Failed failed -> {
                content(console.err(), failed.result());
                notes(console, failed.result(), resultBytes);
                console.tell(failed.problem());
            }
            case Outcome.Refused refused -> console.tell(refused.problem());
            case Outcome.NotSent notSent -> console.tell(StderrTail.withHint(notSent.problem(), stderrShown));
            case Outcome.Unknown unknown -> console.tell(StderrTail.withHint(unknown.problem(), stderrShown));
        }
    }

    /// Text as it is, but safe to show; structured content where there is no text.
    private static void content(Printer printer, ToolResult result) {
        boolean anyText = false;
        for (var block : result.content()) {
            var text = textOf(block);
            if (text != null) {
                anyText = true;
                printer.text(text);
                if (!text.endsWith("\n")) {
                    printer.end();
                }
            }
        }
        if (!anyText && result.structuredContent() != null) {
            printer.line(JsonText.pretty(result.structuredContent()));
        }
    }

    private static @Nullable String textOf(JsonNode block) {
        var text = block.path("text").textValue();
        return text != null ? text : block.path("resource").path("text").textValue();
    }

    private static boolean isEmpty(ToolResult result) {
        return result.content().isEmpty()
                && result.structuredContent() == null
                && !result.omittedStructuredContent()
                && result.omittedContent().isEmpty();
    }

    private static void notes(Console console, ToolResult result, int resultBytes) {
        var limit = Limit.RESULT_BYTES.key() + " (" + resultBytes + "); raise it in config.json, at most "
                + Limit.RESULT_BYTES.ceiling() + ".";
        if (result.truncated()) {
            console.note("The text was shortened to fit " + limit);
        }
        if (!result.omittedContent().isEmpty()) {
            var parts = new ArrayList<String>();
            result.omittedContent().forEach((type, count) -> parts.add(count + " " + type));
            console.note("Left out of the result: " + String.join(", ", parts) + ".");
        }
        if (result.omittedStructuredContent()) {
            console.note("The structured result was left out: it does not fit " + limit);
        }
        if (result.redacted() > 0) {
            console.note(
                    result.redacted() == 1
                            ? "A secret was redacted."
                            : "Secrets were redacted in " + result.redacted() + " places.");
        }
    }

    private static @Nullable ToolResult resultOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> succeeded.result();
            case Outcome.Failed failed -> failed.result();
            case Outcome.Refused refused -> null;
            case Outcome.NotSent notSent -> null;
            case Outcome.Unknown unknown -> null;
        };
    }

    static @Nullable Problem problem(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> null;
            case Outcome.Failed failed -> failed.problem();
            case Outcome.Refused refused -> refused.problem();
            case Outcome.NotSent notSent -> notSent.problem();
            case Outcome.Unknown unknown -> unknown.problem();
        };
    }
}
