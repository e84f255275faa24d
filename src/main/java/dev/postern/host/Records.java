package dev.postern.host;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Answer;
import dev.postern.base.Retention;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was recorded of runs and calls, for the faces (STO, CLI-8). Starts no server and needs no
/// configuration; where nothing was ever recorded it is empty, and makes nothing. May be used from any thread.
public interface Records extends AutoCloseable {
    /// Newest first.
    ///
    /// @param cursor where an earlier page ended, null for the first one
    Answer<Page> runs(int limit, @Nullable String cursor);

    /// One run with its calls, by its id or the beginning of it that no other has.
    Answer<RunRecord> run(String id);

    /// One call, by its id or the beginning of it that no other has.
    Answer<CallRecord> call(String id);

    /// Sessions of chats, newest first.
    ///
    /// @param cursor where an earlier page ended, null for the first one
    Answer<SessionPage> sessions(int limit, @Nullable String cursor);

    /// One session with its runs and their messages, by its id or the beginning of it that no other has.
    Answer<SessionRecord> session(String id);

    /// Drops one session with its runs, by its whole id; not one that a run goes on in.
    Answer<SessionSummary> deleteSession(String id);

    /// What the model was sent and answered in one run, by the run's id or the beginning of it that no other
    /// has.
    Answer<Transcript> transcript(String runId);

    /// Drops what `retention` does not cover. What is open stays.
    Answer<Pruned> prune(Retention retention);

    @Override
    void close();

    /// A part of the list.
    ///
    /// @param nextCursor for the page that follows, null when this was the last
    record Page(List<RunSummary> items, @Nullable String nextCursor) {}

    /// A run without its calls.
    ///
    /// @param trigger `cli`, `api`, `schedule`
    /// @param state `completed`, `failed`, `cancelled`, `limit`; null while it is open, and so is `ended`
    /// @param calls how many it made
    /// @param first what the first of them called, null when it made none
    record RunSummary(
            String id,
            String trigger,
            String mode,
            Instant started,
            @Nullable Instant ended,
            @Nullable String state,
            int calls,
            Agent agent,
            @Nullable Called first) {}

    /// What only the run of an agent has.
    ///
    /// @param session null for a run outside of any
    /// @param trouble why it did not complete; null when it did, and while it is open
    record Agent(
            @Nullable String session,
            int turns,
            long inputTokens,
            long outputTokens,
            @Nullable Trouble trouble) {}

    /// A part of the list of sessions.
    ///
    /// @param nextCursor for the page that follows, null when this was the last
    record SessionPage(List<SessionSummary> items, @Nullable String nextCursor) {}

    /// A session without its runs.
    ///
    /// @param title how its first message begins
    record SessionSummary(String id, String title, Instant created, Instant changed, int runs) {}

    /// A whole session.
    ///
    /// @param runs oldest first
    record SessionRecord(SessionSummary summary, List<SessionRun> runs) {}

    /// A run of a session.
    ///
    /// @param messages in their order, the system message first
    record SessionRun(RunRecord run, List<Message> messages) {}

    /// A message as it was recorded.
    ///
    /// @param role `system`, `user`, `assistant`, `tool`
    record Message(String runId, int position, String role, JsonNode content, Instant written) {}

    /// All that passed between one run and its model.
    ///
    /// @param tools as the model was told about them; an array
    /// @param context the messages that any of its turns was sent, in the order of the session, system message
    ///     first
    record Transcript(RunRecord run, JsonNode tools, List<Message> context, List<Turn> turns) {}

    /// One question to the model. It was sent the tools, the run's system message, the owner's words of this
    /// run, and the messages of the session from `firstRun` and `firstPosition` up to `lastPosition` of this
    /// run.
    ///
    /// @param code of the problem that it ended in, null when the model answered
    record Turn(
            int number,
            String firstRun,
            int firstPosition,
            int lastPosition,
            Instant asked,
            @Nullable Instant answered,
            long inputTokens,
            long outputTokens,
            @Nullable String code) {}

    /// What was called, and what became of it.
    ///
    /// @param outcome null while it is open
    record Called(String server, String tool, @Nullable String outcome) {}

    /// A whole run.
    ///
    /// @param calls in the order in which they began
    record RunRecord(RunSummary summary, String owner, List<CallRecord> calls) {}

    /// A whole call.
    ///
    /// @param modelName null when no model chose the tool
    /// @param digest the definition that it was checked against, null when it came to no sending; so are the
    ///     arguments, which hold no secret
    /// @param times of its steps
    /// @param trouble why it did not succeed; null when it did, and while it is open
    /// @param result what came back, made to fit; null when nothing did
    record CallRecord(
            String id,
            String runId,
            String server,
            String tool,
            @Nullable String modelName,
            @Nullable String digest,
            String mode,
            @Nullable JsonNode arguments,
            @Nullable Long argumentBytes,
            Times times,
            @Nullable String outcome,
            @Nullable Trouble trouble,
            @Nullable Result result,
            String owner) {}

    record Times(
            Instant begun,
            @Nullable Instant intended,
            @Nullable Instant sent,
            @Nullable Instant settled,
            @Nullable Long durationMillis) {}

    record Trouble(String code, String message, String next) {}

    record Result(
            JsonNode content,
            @Nullable JsonNode structuredContent,
            boolean truncated,
            JsonNode omittedContent,
            boolean omittedStructuredContent,
            int redacted) {}

    /// What pruning did.
    ///
    /// @param bytes what the records take now
    record Pruned(int runs, long bytes) {}
}
