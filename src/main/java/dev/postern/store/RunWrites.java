package dev.postern.store;

import dev.postern.store.RunRecords.Begun;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The statements that record runs of agents. Each may be run once more after a transaction that failed.
final class RunWrites {
    private static final String NEW_SESSION = """
            INSERT INTO sessions (id, title, created_ms, changed_ms) VALUES (?, ?, ?, ?)""";

    private static final String TOUCH_SESSION = "UPDATE sessions SET changed_ms = ? WHERE id = ?";

    private static final String OPEN_RUNS = """
            SELECT count(*) FROM runs WHERE session_id = ? AND state IS NULL""";

    private static final String BEGIN = """
            INSERT INTO runs (id, run_trigger, mode, session_id, snapshot, started_ms, owner)
              VALUES (?, ?, ?, ?, ?, ?, ?)""";

    private static final String ADD = """
            INSERT INTO messages (run_id, position, role, content, written_ms) VALUES (?, ?, ?, ?, ?)""";

    private static final String ASK = """
            INSERT INTO turns (run_id, number, first_run, first_position, last_position, asked_ms)
              VALUES (?, ?, ?, ?, ?, ?)""";

    private static final String ANSWER = """
            UPDATE turns SET answered_ms = ?, input_tokens = ?, output_tokens = ?, code = ?
              WHERE run_id = ? AND number = ?""";

    private static final String COUNT = """
            UPDATE runs SET model_turns = model_turns + 1, input_tokens = input_tokens + ?,
              output_tokens = output_tokens + ? WHERE id = ?""";

    private static final String END = """
            UPDATE runs SET ended_ms = ?, state = ?, code = ?, message = ?, next = ? WHERE id = ? AND state IS NULL""";

    private static final String ASK_OWNER = """
            INSERT INTO approvals (id, run_id, server, tool, arguments, asked_ms, deadline_ms)
              VALUES (?, ?, ?, ?, ?, ?, ?)""";

    private static final String DECIDE = """
            UPDATE approvals SET decided_ms = ?, decision = ? WHERE id = ? AND decision IS NULL""";

    private static final String WRITE_NOTE = """
            INSERT INTO notes (name, text, changed_ms) VALUES (?, ?, ?)
              ON CONFLICT (name) DO UPDATE SET text = excluded.text, changed_ms = excluded.changed_ms""";

    private RunWrites() {}

    static Begun begin(Statements to, String owner, RunStart start) throws SQLException {
        var session = start.session();
        long now = start.at().toEpochMilli();
        if (session != null && session.title() != null) {
            to.run(NEW_SESSION, session.id(), session.title(), now, now);
        } else if (session != null) {
            if (to.run(TOUCH_SESSION, now, session.id()) == 0) {
                return Begun.NO_SESSION;
            }
            if (to.number(0, OPEN_RUNS, session.id()) > 0) {
                return Begun.BUSY;
            }
        }
        to.run(
                BEGIN,
                start.id(),
                start.trigger(),
                start.mode(),
                session == null ? null : session.id(),
                start.snapshot(),
                now,
                owner);
        return Begun.YES;
    }

    static void add(Statements to, MessageRow message) throws SQLException {
        to.run(ADD, message.runId(), message.position(), message.role(), message.content(), message.written());
    }

    static void ask(Statements to, String runId, int turn, TurnRow.Span span, Instant at) throws SQLException {
        to.run(ASK, runId, turn, span.firstRun(), span.firstPosition(), span.lastPosition(), at.toEpochMilli());
    }

    static void answer(Statements to, TurnRow turn, @Nullable MessageRow message) throws SQLException {
        to.run(
                ANSWER,
                turn.answered(),
                turn.inputTokens(),
                turn.outputTokens(),
                turn.code(),
                turn.runId(),
                turn.number());
        to.run(COUNT, turn.inputTokens(), turn.outputTokens(), turn.runId());
        if (message != null) {
            add(to, message);
        }
    }

    static void end(Statements to, String runId, RunEnd end) throws SQLException {
        var trouble = end.trouble();
        to.run(
                END,
                end.at().toEpochMilli(),
                end.state(),
                trouble == null ? null : trouble.code(),
                trouble == null ? null : trouble.message(),
                trouble == null ? null : trouble.next(),
                runId);
    }

    static void ask(Statements to, ApprovalRow approval) throws SQLException {
        to.run(
                ASK_OWNER,
                approval.id(),
                approval.runId(),
                approval.server(),
                approval.tool(),
                approval.arguments(),
                approval.asked().toEpochMilli(),
                approval.deadline().toEpochMilli());
    }

    static void decide(Statements to, String approvalId, String decision, Instant at) throws SQLException {
        to.run(DECIDE, at.toEpochMilli(), decision, approvalId);
    }

    static boolean deleteSession(Statements to, String sessionId) throws SQLException {
        return to.number(0, OPEN_RUNS, sessionId) == 0 && to.run("DELETE FROM sessions WHERE id = ?", sessionId) == 1;
    }

    static boolean write(Statements to, NoteRow note, int most) throws SQLException {
        boolean one = to.number(0, "SELECT count(*) FROM notes WHERE name = ?", note.name()) == 1;
        if (!one && to.number(0, "SELECT count(*) FROM notes") >= most) {
            return false;
        }
        to.run(WRITE_NOTE, note.name(), note.text(), note.changed());
        return true;
    }
}
