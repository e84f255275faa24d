package dev.postern.store;

import dev.postern.base.Ids;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what was recorded. Every query goes by an index, however much is stored.
final class RecordReader {
    private static final String RUNS = """
            SELECT r.id, r.run_trigger, r.mode, r.session_id, r.started_ms, r.ended_ms, r.state, r.code, r.message,
              r.next, r.model_turns, r.input_tokens, r.output_tokens, r.owner,
              (SELECT count(*) FROM calls WHERE run_id = r.id) AS calls, c.server, c.tool, c.outcome
            FROM runs r LEFT JOIN calls c
              ON c.rowid = (SELECT rowid FROM calls WHERE run_id = r.id ORDER BY rowid LIMIT 1)
            """;

    static final String NEWEST = RUNS + "WHERE r.id < ? ORDER BY r.id DESC LIMIT ?";
    static final String RUNS_NAMED = RUNS + "WHERE r.id BETWEEN ? AND ? ORDER BY r.id LIMIT ?";
    static final String RUNS_OF_SESSION = RUNS + "WHERE r.session_id = ? ORDER BY r.id";
    static final String CALLS_NAMED = "SELECT * FROM calls WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?";
    static final String CALLS_OF = "SELECT * FROM calls WHERE run_id = ? ORDER BY rowid";

    /// Sorts behind everything that an id can go on with.
    private static final String END = "~";

    private RecordReader() {}

    /// @param before the id of a run, whose predecessors are read; null for the newest of all
    static List<RunRow> runs(Statements from, int most, @Nullable String before) throws SQLException {
        return rows(from.prepared(NEWEST, before == null ? Ids.RUN + END : before, most), RecordReader::run);
    }

    /// The runs whose id begins with `start`, two at most: more than one is ambiguous already.
    static List<RunRow> runsNamed(Statements from, String start) throws SQLException {
        return rows(from.prepared(RUNS_NAMED, start, start + END, 2), RecordReader::run);
    }

    /// Oldest first.
    static List<RunRow> runsOfSession(Statements from, String sessionId) throws SQLException {
        return rows(from.prepared(RUNS_OF_SESSION, sessionId), RecordReader::run);
    }

    static List<CallRow> callsNamed(Statements from, String start) throws SQLException {
        return rows(from.prepared(CALLS_NAMED, start, start + END, 2), RecordReader::call);
    }

    /// In the order in which they began.
    static List<CallRow> callsOf(Statements from, String runId) throws SQLException {
        return rows(from.prepared(CALLS_OF, runId), RecordReader::call);
    }

    interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> rows(PreparedStatement query, Reading<T> reading) throws SQLException {
        try (var rows = query.executeQuery()) {
            var list = new ArrayList<T>();
            while (rows.next()) {
                list.add(reading.read(rows));
            }
            return list;
        }
    }

    private static RunRow run(ResultSet row) throws SQLException {
        var server = row.getString("server");
        return new RunRow(
                row.getString("id"),
                row.getString("run_trigger"),
                row.getString("mode"),
                row.getLong("started_ms"),
                number(row, "ended_ms"),
                row.getString("state"),
                row.getString("owner"),
                row.getInt("calls"),
                agent(row),
                server == null ? null : new RunRow.FirstCall(server, row.getString("tool"), row.getString("outcome")));
    }

    private static RunRow.Agent agent(ResultSet row) throws SQLException {
        return new RunRow.Agent(
                row.getString("session_id"),
                row.getInt("model_turns"),
                row.getLong("input_tokens"),
                row.getLong("output_tokens"),
                trouble(row));
    }

    private static CallRow call(ResultSet row) throws SQLException {
        return new CallRow(
                row.getString("id"),
                row.getString("run_id"),
                row.getString("server"),
                row.getString("tool"),
                row.getString("model_name"),
                row.getString("tool_digest"),
                row.getString("mode"),
                row.getString("arguments"),
                number(row, "argument_bytes"),
                row.getLong("begun_ms"),
                number(row, "intended_ms"),
                number(row, "sent_ms"),
                number(row, "settled_ms"),
                number(row, "duration_ms"),
                row.getString("outcome"),
                trouble(row),
                result(row),
                row.getString("owner"));
    }

    private static CallEnd.@Nullable Trouble trouble(ResultSet row) throws SQLException {
        var code = row.getString("code");
        return code == null ? null : new CallEnd.Trouble(code, row.getString("message"), row.getString("next"));
    }

    private static CallEnd.@Nullable Result result(ResultSet row) throws SQLException {
        var content = row.getString("content");
        return content == null
                ? null
                : new CallEnd.Result(
                        content,
                        row.getString("structured_content"),
                        row.getInt("truncated") != 0,
                        row.getString("omitted_content"),
                        row.getInt("omitted_structured_content") != 0,
                        row.getInt("redacted"));
    }

    static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
