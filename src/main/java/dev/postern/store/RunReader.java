package dev.postern.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what was recorded of the runs of agents. Every query goes by an index.
final class RunReader {
    private static final String SESSIONS = """
            SELECT id, title, created_ms, changed_ms, (SELECT count(*) FROM runs WHERE session_id = sessions.id) AS runs
            FROM sessions
            """;

    static final String NEWEST = SESSIONS + "WHERE id < ? ORDER BY id DESC LIMIT ?";
    static final String NAMED = SESSIONS + "WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 2";
    static final String MESSAGES = "SELECT * FROM messages WHERE run_id = ? ORDER BY position";
    static final String CONVERSATION = """
            SELECT m.* FROM runs r JOIN messages m ON m.run_id = r.id
              WHERE r.session_id = ? AND m.role <> 'system' ORDER BY r.id, m.position""";
    static final String TURNS = "SELECT * FROM turns WHERE run_id = ? ORDER BY number";

    /// Sorts behind every id.
    private static final String END = "~";

    private RunReader() {}

    static List<SessionRow> sessions(Statements from, int most, @Nullable String before) throws SQLException {
        return RecordReader.rows(from.prepared(NEWEST, before == null ? END : before, most), RunReader::session);
    }

    static List<SessionRow> sessionsNamed(Statements from, String start) throws SQLException {
        return RecordReader.rows(from.prepared(NAMED, start, start + END), RunReader::session);
    }

    static List<MessageRow> messagesOf(Statements from, String runId) throws SQLException {
        return RecordReader.rows(from.prepared(MESSAGES, runId), RunReader::message);
    }

    static List<MessageRow> conversation(Statements from, String sessionId) throws SQLException {
        return RecordReader.rows(from.prepared(CONVERSATION, sessionId), RunReader::message);
    }

    static List<TurnRow> turnsOf(Statements from, String runId) throws SQLException {
        return RecordReader.rows(from.prepared(TURNS, runId), RunReader::turn);
    }

    static @Nullable String snapshotOf(Statements from, String runId) throws SQLException {
        try (var rows =
                from.prepared("SELECT snapshot FROM runs WHERE id = ?", runId).executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    static List<NoteRow> notes(Statements from) throws SQLException {
        return RecordReader.rows(from.prepared("SELECT * FROM notes ORDER BY name"), RunReader::note);
    }

    static @Nullable NoteRow note(Statements from, String name) throws SQLException {
        var found = RecordReader.rows(from.prepared("SELECT * FROM notes WHERE name = ?", name), RunReader::note);
        return found.isEmpty() ? null : found.getFirst();
    }

    private static SessionRow session(ResultSet row) throws SQLException {
        return new SessionRow(
                row.getString("id"),
                row.getString("title"),
                row.getLong("created_ms"),
                row.getLong("changed_ms"),
                row.getInt("runs"));
    }

    private static MessageRow message(ResultSet row) throws SQLException {
        return new MessageRow(
                row.getString("run_id"),
                row.getInt("position"),
                row.getString("role"),
                row.getString("content"),
                row.getLong("written_ms"));
    }

    private static TurnRow turn(ResultSet row) throws SQLException {
        return new TurnRow(
                row.getString("run_id"),
                row.getInt("number"),
                new TurnRow.Span(row.getString("first_run"), row.getInt("first_position"), row.getInt("last_position")),
                row.getLong("asked_ms"),
                RecordReader.number(row, "answered_ms"),
                row.getLong("input_tokens"),
                row.getLong("output_tokens"),
                row.getString("code"));
    }

    private static NoteRow note(ResultSet row) throws SQLException {
        return new NoteRow(row.getString("name"), row.getString("text"), row.getLong("changed_ms"));
    }
}
