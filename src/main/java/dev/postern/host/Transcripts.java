package dev.postern.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.host.Records.Message;
import dev.postern.host.Records.RunRecord;
import dev.postern.host.Records.SessionRecord;
import dev.postern.host.Records.SessionRun;
import dev.postern.host.Records.SessionSummary;
import dev.postern.host.Records.Transcript;
import dev.postern.host.Records.Turn;
import dev.postern.store.MessageRow;
import dev.postern.store.SessionRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TurnRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Reads sessions and what passed between a run and its model.
final class Transcripts {
    private static final String SYSTEM = "system";

    private Transcripts() {}

    static SessionSummary summary(SessionRow row) {
        return new SessionSummary(
                row.id(),
                row.title(),
                Instant.ofEpochMilli(row.created()),
                Instant.ofEpochMilli(row.changed()),
                row.runs());
    }

    static SessionRecord session(Store from, SessionRow row) throws StoreException {
        var runs = new ArrayList<SessionRun>();
        for (var run : from.runRecords().runsOf(row.id())) {
            runs.add(new SessionRun(StoredRecords.record(from, run), messages(from, run.id())));
        }
        return new SessionRecord(summary(row), runs);
    }

    private static List<Message> messages(Store from, String runId) throws StoreException {
        return from.runRecords().messagesOf(runId).stream()
                .map(Transcripts::message)
                .toList();
    }

    static Transcript transcript(Store from, RunRecord run) throws StoreException {
        var records = from.runRecords();
        var id = run.summary().id();
        var snapshot = records.snapshotOf(id);
        JsonNode tools = snapshot == null ? JsonNodeFactory.instance.arrayNode() : StoredRecords.json(snapshot);
        var turns = records.turnsOf(id).stream().map(Transcripts::turn).toList();
        return new Transcript(run, tools, context(from, run, turns), turns);
    }

    private static List<Message> context(Store from, RunRecord run, List<Turn> turns) throws StoreException {
        var id = run.summary().id();
        var session = run.summary().agent().session();
        var own = messages(from, id);
        if (session == null || turns.isEmpty()) {
            return own;
        }
        var context = new ArrayList<Message>();
        own.stream().filter(message -> message.role().equals(SYSTEM)).forEach(context::add);
        var first = turns.getFirst();
        for (var row : from.runRecords().conversation(session)) {
            int order = row.runId().compareTo(first.firstRun());
            boolean begun = order > 0 || (order == 0 && row.position() >= first.firstPosition());
            if (begun && row.runId().compareTo(id) <= 0) {
                context.add(message(row));
            }
        }
        return context;
    }

    private static Message message(MessageRow row) {
        return new Message(
                row.runId(),
                row.position(),
                row.role(),
                StoredRecords.json(row.content()),
                Instant.ofEpochMilli(row.written()));
    }

    private static Turn turn(TurnRow row) {
        var span = row.span();
        var answered = row.answered();
        return new Turn(
                row.number(),
                span.firstRun(),
                span.firstPosition(),
                span.lastPosition(),
                Instant.ofEpochMilli(row.asked()),
                answered == null ? null : Instant.ofEpochMilli(answered),
                row.inputTokens(),
                row.outputTokens(),
                row.code());
    }
}
