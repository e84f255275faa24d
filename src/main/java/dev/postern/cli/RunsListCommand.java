package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import dev.postern.host.Records.Page;
import picocli.CommandLine.Model.CommandSpec;

/// `runs list`: what ran, newest first. Needs no configuration, starts nothing, makes nothing.
final class RunsListCommand implements Command {
    @Override
    public CommandSpec spec() {
        return ListShape.addOptions(Shapes.command(
                this, "list", "List the recorded runs, newest first.", "Each `call` is a run of one call."));
    }

    @Override
    public int run(Line line, Session session) {
        return switch (ListShape.of(line, RecordId.RUN)) {
            case Answer.Not<ListShape> not -> session.fail(not.problem());
            case Answer.Here<ListShape> shape ->
                session.withRecords(records -> switch (records.runs(
                        shape.value().limit(), shape.value().cursor())) {
                    case Answer.Not<Page> not -> session.fail(not.problem());
                    case Answer.Here<Page> page -> print(session.console(), page.value());
                });
        };
    }

    private static int print(Console console, Page page) {
        if (console.json()) {
            var object = JsonNodeFactory.instance.objectNode();
            var items = object.putArray("items");
            page.items().forEach(run -> items.add(RecordText.object(console, run)));
            console.json(object.put("nextCursor", page.nextCursor()));
        } else if (page.items().isEmpty()) {
            console.out().line("No runs are recorded. Each `postern call` is one.");
        } else {
            var table = new Table("RUN", "STARTED", "TRIGGER", "STATE", "CALLS");
            for (var run : page.items()) {
                table.row(
                        run.id(),
                        ServerText.time(run.started()),
                        run.trigger(),
                        RecordText.orOpen(run.state()),
                        RecordText.calls(run));
            }
            table.print(console.out(), console.width());
            ListShape.more(console, "runs list", page.nextCursor());
        }
        return ExitCode.DONE;
    }
}
