package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Printer;
import dev.postern.cli.render.Untrusted;
import dev.postern.host.Records.CallRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `calls show CALL`: all that was recorded of one call.
final class CallsShowCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "show", "Show all that was recorded of one call.", "Secrets were never recorded.")
                .addPositional(Shapes.required(0, "CALL", "The id of the call, or a beginning that only it has."));
    }

    @Override
    public int run(Line line, Session session) {
        var id = line.value(0);
        var mistake = RecordId.CALL.mistakeIn(id);
        if (mistake != null) {
            return session.fail(mistake);
        }
        return session.withRecords(records -> switch (records.call(id)) {
            case Answer.Not<CallRecord> not -> session.fail(not.problem());
            case Answer.Here<CallRecord> call -> print(session.console(), call.value());
        });
    }

    private static int print(Console console, CallRecord call) {
        if (console.json()) {
            console.json(RecordText.object(console, call));
            return ExitCode.DONE;
        }
        var out = console.out();
        var times = call.times();
        out.line("call       " + call.id());
        out.line("run        " + call.runId());
        out.line("tool       " + call.server() + " " + call.tool());
        out.line("mode       " + call.mode());
        out.line("begun      " + ServerText.time(times.begun()));
        out.line("sent       " + (times.sent() == null ? "-" : ServerText.time(times.sent())));
        out.line("settled    " + (times.settled() == null ? "-" : ServerText.time(times.settled())));
        out.line("took       " + (times.durationMillis() == null ? "-" : times.durationMillis() + " ms"));
        out.line("outcome    " + RecordText.orOpen(call.outcome()));
        if (call.trouble() != null) {
            out.line("code       " + call.trouble().code());
            out.line("message    " + Untrusted.line(call.trouble().message()));
            out.line("next step  " + Untrusted.line(console.hint(call.trouble().next())));
        }
        json(out, "Arguments", call.arguments());
        if (call.result() != null) {
            json(out, "Content", call.result().content());
            json(out, "Structured content", call.result().structuredContent());
        }
        return ExitCode.DONE;
    }

    private static void json(Printer out, String title, @Nullable JsonNode value) {
        if (value != null) {
            out.end().line(title + ":").text(JsonText.pretty(value)).end();
        }
    }
}
