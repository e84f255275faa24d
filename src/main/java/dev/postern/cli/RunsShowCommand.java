package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import dev.postern.host.Records.RunRecord;
import picocli.CommandLine.Model.CommandSpec;

/// `runs show RUN`: one run with its calls.
final class RunsShowCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "show", "Show one run and its calls.")
                .addPositional(Shapes.required(0, "RUN", "The id of the run, or a beginning that only it has."));
    }

    @Override
    public int run(Line line, Session session) {
        var id = line.value(0);
        var mistake = RecordId.RUN.mistakeIn(id);
        if (mistake != null) {
            return session.fail(mistake);
        }
        return session.withRecords(records -> switch (records.run(id)) {
            case Answer.Not<RunRecord> not -> session.fail(not.problem());
            case Answer.Here<RunRecord> run -> print(session.console(), run.value());
        });
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
