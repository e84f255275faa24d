package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.host.Records.SessionRecord;
import dev.postern.run.RunOrder;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Model.CommandSpec;

/// `chat continue SESSION TEXT` (RUN-4).
final class ChatContinueCommand implements Command {
    @Override
    public CommandSpec spec() {
        return AgentShapes.addOptions(Shapes.command(this, "continue", "Go on with a session.")
                .addPositional(AgentShapes.session(0))
                .addPositional(AgentShapes.text(1)));
    }

    @Override
    public int run(Line line, Session session) {
        var mistake = RecordId.SESSION.mistakeIn(line.value(0));
        if (mistake != null) {
            return session.fail(mistake);
        }
        var id = new AtomicReference<>("");
        int found = session.withRecords(records -> switch (records.session(line.value(0))) {
            case Answer.Not<SessionRecord> not -> session.fail(not.problem());
            case Answer.Here<SessionRecord> here -> {
                id.set(here.value().summary().id());
                yield ExitCode.DONE;
            }
        });
        return found == ExitCode.DONE
                ? AgentCommand.run(line, session, line.value(1), new RunOrder.Session.Continued(id.get()))
                : found;
    }
}
