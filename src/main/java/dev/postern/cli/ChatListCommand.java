package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import dev.postern.host.Records.SessionPage;
import picocli.CommandLine.Model.CommandSpec;

/// `chat list`: the sessions, newest first. Needs no configuration, starts nothing, makes nothing.
final class ChatListCommand implements Command {
    @Override
    public CommandSpec spec() {
        return ListShape.addOptions(Shapes.command(this, "list", "List the sessions, newest first."));
    }

    @Override
    public int run(Line line, Session session) {
        return switch (ListShape.of(line, RecordId.SESSION)) {
            case Answer.Not<ListShape> not -> session.fail(not.problem());
            case Answer.Here<ListShape> shape ->
                session.withRecords(records -> switch (records.sessions(
                        shape.value().limit(), shape.value().cursor())) {
                    case Answer.Not<SessionPage> not -> session.fail(not.problem());
                    case Answer.Here<SessionPage> page -> print(session.console(), page.value());
                });
        };
    }

    private static int print(Console console, SessionPage page) {
        if (console.json()) {
            var object = JsonNodeFactory.instance.objectNode();
            var items = object.putArray("items");
            page.items().forEach(one -> items.add(SessionText.object(one)));
            console.json(object.put("nextCursor", page.nextCursor()));
        } else if (page.items().isEmpty()) {
            console.out().line("There are no sessions. `postern chat new TEXT` begins one.");
        } else {
            var table = new Table("SESSION", "CHANGED", "RUNS", "TITLE");
            for (var one : page.items()) {
                table.row(one.id(), ServerText.time(one.changed()), Integer.toString(one.runs()), one.title());
            }
            table.print(console.out(), console.width());
            ListShape.more(console, "chat list", page.nextCursor());
        }
        return ExitCode.DONE;
    }
}
