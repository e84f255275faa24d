package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.store.CallEnd.Result;
import dev.postern.store.CallEnd.Trouble;
import dev.postern.store.CallStart.Intent;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The statements that record calls and their runs. Each may be run once more after a transaction that failed.
final class CallWrites {
    private static final String BEGIN_RUN = """
            INSERT OR IGNORE INTO runs (id, run_trigger, mode, started_ms, owner) VALUES (?, ?, ?, ?, ?)""";

    private static final String BEGIN_CALL = """
            INSERT INTO calls (id, run_id, server, tool, mode, begun_ms, owner, model_name, tool_digest, arguments,
              argument_bytes, intended_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String END_CALL = """
            UPDATE calls SET sent_ms = ?, settled_ms = ?, duration_ms = ?, outcome = ?, code = ?, message = ?,
              next = ?, content = ?, structured_content = ?, truncated = ?, omitted_content = ?,
              omitted_structured_content = ?, redacted = ? WHERE id = ? AND outcome IS NULL""";

    private static final String END_RUN = "UPDATE runs SET ended_ms = ?, state = ? WHERE id = ? AND state IS NULL";

    private static final String END_CALLS_OF = """
            UPDATE calls SET outcome = 'unknown', settled_ms = ?, code = ?, message = ?, next = ?
              WHERE outcome IS NULL AND owner = ?""";

    private static final String END_RUNS_OF = """
            UPDATE runs SET ended_ms = ?, state = 'failed', code = ?, message = ?, next = ?
              WHERE state IS NULL AND owner = ?""";

    private static final String OWNER_DIED = "The outcome is unknown: the Postern that was to send this call ended"
            + " before it recorded an answer. The server may have done it.";

    private static final String CHECK_FIRST = "Check with the server before you call again; the call was not repeated.";

    private static final String RUN_OWNER_DIED = "The Postern that ran it ended before the run did.";

    private static final String LOOK_AT_CALLS = "Its calls say what each came to; nothing of it was repeated.";

    private CallWrites() {}

    /// @param intent null for a call that came to no sending
    static void begin(Statements to, String owner, CallStart start, @Nullable Intent intent) throws SQLException {
        to.run(BEGIN_RUN, start.runId(), start.trigger(), start.mode(), millis(start.begun()), owner);
        to.run(
                BEGIN_CALL,
                start.callId(),
                start.runId(),
                start.what().server(),
                start.what().tool(),
                start.mode(),
                millis(start.begun()),
                owner,
                start.what().modelName(),
                intent == null ? null : intent.digest(),
                intent == null ? null : intent.arguments(),
                intent == null ? null : intent.bytes(),
                intent == null ? null : millis(intent.at()));
    }

    /// Ends a call once, and a run of its own with it. One that is not open must be new: it is recorded as a whole.
    static void end(Statements to, String owner, CallStart start, CallEnd end) throws SQLException {
        if (ended(to, start, end) == 0) {
            begin(to, owner, start, null);
            ended(to, start, end);
        }
        if (end.runState() != null) {
            to.run(END_RUN, millis(end.at()), end.runState(), start.runId());
        }
    }

    private static int ended(Statements to, CallStart start, CallEnd end) throws SQLException {
        Trouble trouble = end.trouble();
        Result result = end.result();
        return to.run(
                END_CALL,
                end.sent() == null ? null : millis(end.sent()),
                millis(end.at()),
                end.durationMillis(),
                end.outcome(),
                trouble == null ? null : trouble.code(),
                trouble == null ? null : trouble.message(),
                trouble == null ? null : trouble.next(),
                result == null ? null : result.content(),
                result == null ? null : result.structuredContent(),
                result != null && result.truncated() ? 1 : 0,
                result == null ? null : result.omittedContent(),
                result != null && result.omittedStructuredContent() ? 1 : 0,
                result == null ? 0 : result.redacted(),
                start.callId());
    }

    /// Settles all that a dead owner left open: its calls may have been sent (CAL-4).
    static void ownerDied(Statements to, String owner, Instant now) throws SQLException {
        to.run(END_CALLS_OF, millis(now), ErrorCode.UNKNOWN_OWNER_DIED.code(), OWNER_DIED, CHECK_FIRST, owner);
        to.run(END_RUNS_OF, millis(now), ErrorCode.RUN_OWNER_DIED.code(), RUN_OWNER_DIED, LOOK_AT_CALLS, owner);
    }

    private static Long millis(Instant at) {
        return at.toEpochMilli();
    }
}
