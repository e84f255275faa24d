package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.host.Records.CallRecord;
import dev.postern.host.Records.SessionRecord;
import dev.postern.host.Records.SessionRun;
import picocli.CommandLine.Model.CommandSpec;

/// `chat show SESSION`: what was said, and each call with its outcome (RUN-4).
final class ChatShowCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "show", "Show a session: what was said, and what became of each call.")
                .addPositional(AgentShapes.session(0));
    }

    @Override
    public int run(Line line, Session session) {
        var mistake = RecordId.SESSION.mistakeIn(line.value(0));
        if (mistake != null) {
            return session.fail(mistake);
        }
        return session.withRecords(records -> switch (records.session(line.value(0))) {
            case Answer.Not<SessionRecord> not -> session.fail(not.problem());
            case Answer.Here<SessionRecord> record -> print(session.console(), record.value());
        });
    }

    private static int print(Console console, SessionRecord session) {
        if (console.json()) {
            var object = SessionText.object(session.summary());
            var runs = object.putArray("runs");
            for (var run : session.runs()) {
                var one = RecordText.object(console, run.run());
                var messages = one.putArray("messages");
                run.messages().forEach(message -> messages.add(SessionText.object(message)));
                runs.add(one);
            }
            console.json(object);
            return ExitCode.DONE;
        }
        var out = console.out();
        out.line("session  " + session.summary().id());
        out.line("title    " + session.summary().title());
        session.runs().forEach(run -> print(console, run));
        return ExitCode.DONE;
    }

    private static void print(Console console, SessionRun run) {
        var out = console.out();
        var summary = run.run().summary();
        out.end();
        out.styled(Style.DIM, summary.id() + "  " + ServerText.time(summary.started()))
                .end();
        for (var message : run.messages()) {
            var text = message.content().path("text").asText();
            switch (message.role()) {
                case "user" -> out.styled(Style.BOLD, "you: ").line(text);
                case "assistant" -> {
                    if (!text.isEmpty()) {
                        out.styled(Style.BOLD, "model: ").line(text);
                    }
                }
                default -> {
                    // The rules, and results, which `runs show --messages` prints.
                }
            }
        }
        run.run().calls().forEach(call -> out.line("  call " + line(call)));
        var trouble = summary.agent().trouble();
        out.line("  run " + RecordText.orOpen(summary.state()) + (trouble == null ? "" : ": " + trouble.message()));
    }

    private static String line(CallRecord call) {
        return call.server() + " " + call.tool() + ": " + RecordText.orOpen(call.outcome())
                + (call.trouble() == null ? "" : " (" + call.trouble().code() + ")") + "  " + call.id();
    }
}
