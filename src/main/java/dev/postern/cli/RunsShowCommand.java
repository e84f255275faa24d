package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Table;
import dev.postern.host.Records.RunRecord;
import dev.postern.host.Records.Transcript;
import picocli.CommandLine.Model.CommandSpec;

/// `runs show RUN`: one run with its calls.
final class RunsShowCommand implements Command {
    private static final String MESSAGES = "--messages";

    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "show", "Show one run and its calls.")
                .addPositional(Shapes.required(0, "RUN", "The id of the run, or a beginning that only it has."))
                .addOption(Shapes.flag(MESSAGES, "Show exactly what the model was sent, and what it answered."));
    }

    @Override
    public int run(Line line, Session session) {
        var id = line.value(0);
        var mistake = RecordId.RUN.mistakeIn(id);
        if (mistake != null) {
            return session.fail(mistake);
        }
        return line.has(MESSAGES)
                ? messages(id, session)
                : session.withRecords(records -> switch (records.run(id)) {
                    case Answer.Not<RunRecord> not -> session.fail(not.problem());
                    case Answer.Here<RunRecord> run -> print(session.console(), run.value());
                });
    }

    private static int messages(String id, Session session) {
        return session.withRecords(records -> switch (records.transcript(id)) {
            case Answer.Not<Transcript> not -> session.fail(not.problem());
            case Answer.Here<Transcript> transcript -> print(session.console(), transcript.value());
        });
    }

    private static int print(Console console, Transcript transcript) {
        if (console.json()) {
            var object = RecordText.object(console, transcript.run());
            object.set("tools", transcript.tools());
            var messages = object.putArray("messages");
            transcript.context().forEach(message -> messages.add(SessionText.object(message)));
            var turns = object.putArray("modelTurns");
            transcript.turns().forEach(turn -> turns.add(RecordText.object(turn)));
            console.json(object);
            return ExitCode.DONE;
        }
        var out = console.out();
        for (JsonNode tool : transcript.tools()) {
            out.styled(Style.BOLD, "tool " + tool.path("name").asText() + ":")
                    .end()
                    .line(tool.path("description").asText())
                    .line(JsonText.pretty(tool.path("parameters")))
                    .end();
        }
        transcript.context().forEach(message -> SessionText.print(out, message));
        for (var turn : transcript.turns()) {
            out.line("turn " + turn.number() + ": messages from " + turn.firstRun() + " " + turn.firstPosition()
                    + " up to " + transcript.run().summary().id() + " " + turn.lastPosition() + ", "
                    + turn.inputTokens() + " tokens in, " + turn.outputTokens() + " out"
                    + (turn.code() == null ? "" : ", " + turn.code()));
        }
        return ExitCode.DONE;
    }

    private static int print(Console console, RunRecord run) {
        if (console.json()) {
            console.json(RecordText.object(console, run));
            return ExitCode.DONE;
        }
        var summary = run.summary();
        var out = console.out();
        out.line("run      " + summary.id());
        out.line("trigger  " + summary.trigger() + ", mode " + summary.mode());
        out.line("started  " + ServerText.time(summary.started()));
        out.line("ended    " + (summary.ended() == null ? "-" : ServerText.time(summary.ended())));
        out.line("state    " + RecordText.orOpen(summary.state()));
        var agent = summary.agent();
        if (agent.trouble() != null) {
            out.line("why      " + agent.trouble().message());
        }
        if (agent.session() != null) {
            out.line("session  " + agent.session());
        }
        if (agent.turns() > 0) {
            out.line("model    " + agent.turns() + (agent.turns() == 1 ? " turn, " : " turns, ") + agent.inputTokens()
                    + " tokens in, " + agent.outputTokens() + " out");
        }
        if (!run.calls().isEmpty()) {
            out.end();
            var table = new Table("CALL", "SERVER", "TOOL", "OUTCOME", "CODE", "MS");
            for (var call : run.calls()) {
                table.row(
                        call.id(),
                        call.server(),
                        call.tool(),
                        RecordText.orOpen(call.outcome()),
                        call.trouble() == null ? "-" : call.trouble().code(),
                        ServerText.known(call.times().durationMillis()));
            }
            table.print(out, console.width());
        }
        return ExitCode.DONE;
    }
}
