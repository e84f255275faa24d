package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.call.CallReport;
import dev.postern.call.Outcome;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Progress;
import dev.postern.cli.render.Style;
import dev.postern.run.Approver.Question;
import dev.postern.run.RunEvent;
import dev.postern.run.RunReport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Shows a run as it goes: for people the model's words on standard output and what happens besides on standard
/// error; for programs one JSON object a line (CLI-8). Told one event at a time.
final class EventText implements Consumer<RunEvent>, AutoCloseable {
    /// In code points.
    private static final int ARGUMENTS = 200;

    private final Console console;
    private final Runnable unread;
    private @Nullable Progress thinking;
    private boolean midLine;

    /// @param unread told when nobody reads what the model says any more
    EventText(Console console, Runnable unread) {
        this.console = console;
        this.unread = unread;
        think();
    }

    @Override
    public void accept(RunEvent event) {
        rest();
        if (console.json()) {
            var object = object(event);
            if (object != null) {
                console.json(object);
            }
        } else {
            print(event);
        }
        console.out().flush();
        console.err().flush();
        if (event instanceof RunEvent.Ended) {
            return;
        }
        if (console.unread()) {
            unread.run();
        } else if (!midLine) {
            think();
        }
    }

    /// A question that waits for an answer from elsewhere.
    void asked(Question question) {
        rest();
        if (console.json()) {
            console.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("event", "approval-asked")
                    .put("approvalId", question.id())
                    .put("server", question.server())
                    .put("tool", question.tool())
                    .set("arguments", question.arguments()));
        } else {
            endLine();
            console.note("the call of " + question.server() + " " + question.tool()
                    + " waits for `postern runs approve " + question.id() + "` or `postern runs refuse "
                    + question.id() + "`.");
            console.err().line("  " + JsonText.pretty(question.arguments()).replace("\n", "\n  "));
        }
        console.out().flush();
        console.err().flush();
    }

    /// Leaves the terminal to somebody else.
    void rest() {
        if (thinking != null) {
            thinking.close();
            thinking = null;
        }
    }

    private void think() {
        if (!console.json()) {
            thinking = console.progress("Waiting for the model");
        }
    }

    @Override
    public void close() {
        rest();
        endLine();
    }

    private void print(RunEvent event) {
        switch (event) {
            case RunEvent.Started started -> {
                if (started.sessionId() != null) {
                    console.err()
                            .styled(Style.DIM, "session " + started.sessionId())
                            .end();
                }
            }
            case RunEvent.Notice notice -> {
                endLine();
                console.note(notice.problem().message() + " " + notice.problem().next());
            }
            case RunEvent.Text text -> {
                console.out().text(text.text());
                midLine = !text.text().endsWith("\n");
            }
            case RunEvent.AnswerEnded _ -> endLine();
            case RunEvent.CallStarted call -> {
                endLine();
                var arguments = VisibleText.cut(JsonText.compact(call.arguments()), ARGUMENTS);
                console.err()
                        .styled(Style.DIM, "-> " + call.server() + " " + call.tool() + " " + arguments)
                        .end();
            }
            case RunEvent.CallEnded call -> ended(call.report());
            case RunEvent.Ended ended -> {
                endLine();
                ended(ended.report());
            }
        }
    }

    private void ended(CallReport report) {
        endLine();
        var problem = CallText.problem(report.outcome());
        var style = report.outcome() instanceof Outcome.Succeeded ? Style.GOOD : Style.WARN;
        console.err()
                .styled(
                        style,
                        "<- " + report.server() + " " + report.tool() + ": "
                                + report.outcome().word())
                .text(problem == null ? " (" + report.durationMillis() + " ms)" : " " + problem.message())
                .end();
        if (problem != null && !problem.next().isBlank()) {
            console.err().line("   " + console.hint(problem.next()));
        }
    }

    private void ended(RunReport report) {
        boolean byTheReader = report.state() == RunReport.State.CANCELLED && console.unread();
        if (report.problem() != null && !byTheReader) {
            console.tell(report.problem());
        }
        int unknown = report.counts().unknown();
        if (unknown > 0) {
            console.note(unknown + (unknown == 1 ? " call is" : " calls are")
                    + " unknown: it may have been done. Check with the server first; `postern runs show "
                    + report.runId() + "` names the calls.");
        }
    }

    private void endLine() {
        if (midLine) {
            console.out().end();
            console.out().flush();
            midLine = false;
        }
    }

    private @Nullable ObjectNode object(RunEvent event) {
        return switch (event) {
            case RunEvent.Started started ->
                named("started").put("runId", started.runId()).put("sessionId", started.sessionId());
            case RunEvent.Notice notice -> with(named("notice"), notice.problem());
            case RunEvent.Text text -> named("text").put("text", text.text());
            case RunEvent.AnswerEnded _ -> null;
            case RunEvent.CallStarted call ->
                named("call-started")
                        .put("callId", call.callId())
                        .put("server", call.server())
                        .put("tool", call.tool())
                        .set("arguments", call.arguments());
            case RunEvent.CallEnded call -> named("call-ended").setAll(CallText.object(console, call.report(), false));
            case RunEvent.Ended ended -> object(ended.report());
        };
    }

    private ObjectNode object(RunReport report) {
        var object = named("ended")
                .put("runId", report.runId())
                .put("sessionId", report.sessionId())
                .put("state", report.state().word());
        if (report.problem() != null) {
            with(object, report.problem());
        }
        var counts = report.counts();
        return object.put("text", report.text())
                .put("turns", counts.turns())
                .put("calls", counts.calls())
                .put("unknown", counts.unknown())
                .put("inputTokens", counts.inputTokens())
                .put("outputTokens", counts.outputTokens());
    }

    private static ObjectNode named(String event) {
        return JsonNodeFactory.instance.objectNode().put("event", event);
    }

    private ObjectNode with(ObjectNode object, Problem problem) {
        return object.put("code", problem.code().code())
                .put("message", problem.message())
                .put("next", console.hint(problem.next()));
    }
}
