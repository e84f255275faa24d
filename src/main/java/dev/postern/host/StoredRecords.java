package dev.postern.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Ids;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import dev.postern.store.CallEnd;
import dev.postern.store.CallRow;
import dev.postern.store.RunRow;
import dev.postern.store.SessionRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.wire.StrictJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The records in a database, opened by the first question.
public final class StoredRecords implements Records {
    private final Opening opening;
    private @Nullable Opened opened;

    /// How the database is opened.
    public interface Opening {
        /// Null when there is none.
        @Nullable
        Opened open() throws StoreException;
    }

    /// An open database.
    ///
    /// @param shared whether others use it too, so that it stays open
    public record Opened(Store store, boolean shared) {}

    public StoredRecords(Opening opening) {
        this.opening = opening;
    }

    /// A question to the database.
    private interface Question<T> {
        Answer<T> ask(Store store) throws StoreException;
    }

    private synchronized <T> Answer<T> ask(Question<T> question, Answer<T> withoutAny) {
        try {
            if (opened == null) {
                opened = opening.open();
            }
            return opened == null ? withoutAny : question.ask(opened.store);
        } catch (StoreException e) {
            return new Answer.Not<>(e.problem());
        }
    }

    @Override
    public Answer<Page> runs(int limit, @Nullable String cursor) {
        return ask(
                from -> {
                    var rows = from.runs(limit + 1, cursor);
                    var page = rows.subList(0, Math.min(limit, rows.size()));
                    var next = rows.size() > limit ? page.getLast().id() : null;
                    return new Answer.Here<>(
                            new Page(page.stream().map(StoredRecords::summary).toList(), next));
                },
                new Answer.Here<>(new Page(List.of(), null)));
    }

    @Override
    public Answer<RunRecord> run(String id) {
        var none = new Answer.Not<RunRecord>(unknown("run", id));
        return ask(
                from -> {
                    var rows = isId(id, Ids.RUN) ? from.runsNamed(id) : List.<RunRow>of();
                    if (rows.size() != 1) {
                        return rows.isEmpty() ? none : new Answer.Not<>(ambiguous("run", id));
                    }
                    var row = rows.getFirst();
                    return new Answer.Here<>(record(from, row));
                },
                none);
    }

    @Override
    public Answer<CallRecord> call(String id) {
        var none = new Answer.Not<CallRecord>(unknown("call", id));
        return ask(
                from -> {
                    var rows = isId(id, Ids.CALL) ? from.callsNamed(id) : List.<CallRow>of();
                    if (rows.size() != 1) {
                        return rows.isEmpty() ? none : new Answer.Not<>(ambiguous("call", id));
                    }
                    return new Answer.Here<>(call(rows.getFirst()));
                },
                none);
    }

    @Override
    public Answer<SessionPage> sessions(int limit, @Nullable String cursor) {
        return ask(
                from -> {
                    var rows = from.runRecords().sessions(limit + 1, cursor);
                    var page = rows.subList(0, Math.min(limit, rows.size()));
                    var next = rows.size() > limit ? page.getLast().id() : null;
                    return new Answer.Here<>(new SessionPage(
                            page.stream().map(Transcripts::summary).toList(), next));
                },
                new Answer.Here<>(new SessionPage(List.of(), null)));
    }

    @Override
    public Answer<SessionRecord> session(String id) {
        return withSession(id, (store, row) -> new Answer.Here<>(Transcripts.session(store, row)));
    }

    @Override
    public Answer<SessionSummary> deleteSession(String id) {
        return withSession(
                id,
                (store, row) -> store.runRecords().deleteSession(row.id())
                        ? new Answer.Here<>(Transcripts.summary(row))
                        : new Answer.Not<>(new Problem(
                                ErrorCode.RUN_SESSION_BUSY,
                                "A run of the session " + row.id() + " has not ended.",
                                "Wait for it, or cancel it with `postern runs cancel RUN`.")));
    }

    private interface SessionQuestion<T> {
        Answer<T> ask(Store store, SessionRow row) throws StoreException;
    }

    private <T> Answer<T> withSession(String id, SessionQuestion<T> question) {
        var none = new Answer.Not<T>(unknown("session", id));
        return ask(
                from -> {
                    var rows = isId(id, Ids.SESSION) ? from.runRecords().sessionsNamed(id) : List.<SessionRow>of();
                    if (rows.size() != 1) {
                        return rows.isEmpty() ? none : new Answer.Not<>(ambiguous("session", id));
                    }
                    return question.ask(from, rows.getFirst());
                },
                none);
    }

    @Override
    public Answer<Transcript> transcript(String runId) {
        return switch (run(runId)) {
            case Answer.Not<RunRecord> not -> new Answer.Not<>(not.problem());
            case Answer.Here<RunRecord> run ->
                ask(
                        from -> new Answer.Here<>(Transcripts.transcript(from, run.value())),
                        new Answer.Not<>(unknown("run", runId)));
        };
    }

    @Override
    public Answer<Pruned> prune(Retention retention) {
        return ask(
                in -> {
                    int runs = in.prune(retention);
                    return new Answer.Here<>(new Pruned(runs, in.bytes()));
                },
                new Answer.Here<>(new Pruned(0, 0)));
    }

    @Override
    public synchronized void close() {
        if (opened != null && !opened.shared) {
            opened.store.close();
        }
        opened = null;
    }

    private static boolean isId(String id, String prefix) {
        return id.startsWith(prefix) && id.length() > prefix.length();
    }

    private static Problem unknown(String what, String id) {
        return new Problem(
                ErrorCode.USAGE_UNKNOWN_RECORD,
                "No " + what + " \"" + id + "\" is recorded.",
                "See what is with `postern " + (what.equals("session") ? "chat" : "runs")
                        + " list`; records older than storage.days are dropped.");
    }

    private static Problem ambiguous(String what, String id) {
        return new Problem(
                ErrorCode.USAGE_UNKNOWN_RECORD,
                "More than one " + what + " begins with \"" + id + "\".",
                "Give more of its id, as `postern runs list` shows it.");
    }

    static RunRecord record(Store from, RunRow row) throws StoreException {
        var calls = from.callsOf(row.id()).stream().map(StoredRecords::call).toList();
        return new RunRecord(summary(row), row.owner(), calls);
    }

    private static RunSummary summary(RunRow row) {
        var first = row.first();
        return new RunSummary(
                row.id(),
                row.trigger(),
                row.mode(),
                Instant.ofEpochMilli(row.started()),
                instant(row.ended()),
                row.state(),
                row.calls(),
                agent(row.agent()),
                first == null ? null : new Called(first.server(), first.tool(), first.outcome()));
    }

    private static Agent agent(RunRow.Agent agent) {
        return new Agent(
                agent.session(), agent.turns(), agent.inputTokens(), agent.outputTokens(), trouble(agent.trouble()));
    }

    private static @Nullable Trouble trouble(CallEnd.@Nullable Trouble trouble) {
        return trouble == null ? null : new Trouble(trouble.code(), trouble.message(), trouble.next());
    }

    private static CallRecord call(CallRow row) {
        var result = row.result();
        return new CallRecord(
                row.id(),
                row.runId(),
                row.server(),
                row.tool(),
                row.modelName(),
                row.digest(),
                row.mode(),
                row.arguments() == null ? null : json(row.arguments()),
                row.argumentBytes(),
                new Times(
                        Instant.ofEpochMilli(row.begun()),
                        instant(row.intended()),
                        instant(row.sent()),
                        instant(row.settled()),
                        row.duration()),
                row.outcome(),
                trouble(row.trouble()),
                result == null ? null : result(result),
                row.owner());
    }

    private static Result result(CallEnd.Result result) {
        var structured = result.structuredContent();
        return new Result(
                json(result.content()),
                structured == null ? null : json(structured),
                result.truncated(),
                json(result.omittedContent()),
                result.omittedStructuredContent(),
                result.redacted());
    }

    /// What was stored is ours; if somebody has changed it since, it is shown as the text that it is.
    static JsonNode json(String text) {
        return StrictJson.parse(text) instanceof StrictJson.Valid valid ? valid.value() : TextNode.valueOf(text);
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}
