package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.host.Records.SessionSummary;
import picocli.CommandLine.Model.CommandSpec;

/// `chat delete SESSION`: forgets a session with its runs and calls.
final class ChatDeleteCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this, "delete", "Delete a session with its messages, runs and calls. There is no way back.")
                .addPositional(AgentShapes.session(0));
    }

    @Override
    public int run(Line line, Session session) {
        var mistake = RecordId.SESSION.mistakeIn(line.value(0));
        if (mistake != null) {
            return session.fail(mistake);
        }
        return session.withRecords(records -> switch (records.deleteSession(line.value(0))) {
            case Answer.Not<SessionSummary> not -> session.fail(not.problem());
            case Answer.Here<SessionSummary> deleted -> {
                var console = session.console();
                if (console.json()) {
                    console.json(JsonNodeFactory.instance
                            .objectNode()
                            .put("sessionId", deleted.value().id())
                            .put("deleted", true));
                } else {
                    console.out().line("Deleted " + deleted.value().id() + ".");
                }
                yield ExitCode.DONE;
            }
        });
    }
}
