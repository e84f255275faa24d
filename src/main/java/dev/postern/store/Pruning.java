package dev.postern.store;

import dev.postern.base.Ids;
import dev.postern.base.Retention;
import java.sql.SQLException;
import java.time.Instant;

/// Drops the oldest runs that have ended, with all that belongs to them, in small steps, so that nobody else waits
/// long for the database; then gives the room back to the system (STO-2). What is still open stays, however old.
/// Immutable: each step gives what is left to do.
///
/// @param dropped how many runs so far
record Pruning(Retention retention, Instant now, Stage stage, int dropped) {
    /// A step takes some hundredths of a second.
    static final int RUNS_A_STEP = 500;

    private static final int PAGES_A_STEP = 2_000;

    private static final String DELETE = """
            DELETE FROM runs WHERE id IN
              (SELECT id FROM runs WHERE id < ? AND state IS NOT NULL ORDER BY id LIMIT ?)""";

    private static final String DELETE_EMPTY_SESSIONS = """
            DELETE FROM sessions WHERE NOT EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id)""";

    /// Sorts behind every id of a run.
    private static final String EVERY = Ids.RUN + "~";

    private static final String TIDIED = "pruned_ms";

    private static final String NOTE_TIDIED = """
            INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value""";

    private static final long DAY_MILLIS = 24L * 3_600_000;

    enum Stage {
        /// Whether none has come to its end in the last day.
        DUE,
        AGE,
        SIZE,
        ROOM,
        DONE
    }

    static Pruning whole(Retention retention, Instant now) {
        return new Pruning(retention, now, Stage.AGE, 0);
    }

    static Pruning onceADay(Retention retention, Instant now) {
        return new Pruning(retention, now, Stage.DUE, 0);
    }

    boolean done() {
        return stage == Stage.DONE;
    }

    /// One step, a transaction's worth.
    Pruning step(Statements at) throws SQLException {
        return switch (stage) {
            case DUE -> then(due(at) ? Stage.AGE : Stage.DONE, 0);
            case AGE -> {
                int gone = at.run(DELETE, Ids.runsBefore(now.minus(retention.age())), RUNS_A_STEP);
                yield then(gone < RUNS_A_STEP ? Stage.SIZE : Stage.AGE, gone);
            }
            case SIZE -> {
                int gone = dropUntilItFits(at);
                at.run(DELETE_EMPTY_SESSIONS);
                yield then(gone < RUNS_A_STEP ? Stage.ROOM : Stage.SIZE, gone);
            }
            case ROOM -> {
                at.script("PRAGMA incremental_vacuum(" + PAGES_A_STEP + ")");
                if (at.number(0, "PRAGMA freelist_count") > 0) {
                    yield this;
                }
                at.run(NOTE_TIDIED, TIDIED, now.toEpochMilli());
                yield then(Stage.DONE, 0);
            }
            case DONE -> this;
        };
    }

    /// One run after the other: a single one can take a megabyte.
    private int dropUntilItFits(Statements at) throws SQLException {
        int gone = 0;
        while (gone < RUNS_A_STEP && bytes(at) > retention.bytes() && at.run(DELETE, EVERY, 1) == 1) {
            gone++;
        }
        return gone;
    }

    private Pruning then(Stage next, int gone) {
        return new Pruning(retention, now, next, dropped + gone);
    }

    private boolean due(Statements from) throws SQLException {
        long last = from.number(0, "SELECT value FROM facts WHERE name = ?", TIDIED);
        return Math.abs(now.toEpochMilli() - last) >= DAY_MILLIS;
    }

    /// What is in use of the file, by whole pages.
    static long bytes(Statements from) throws SQLException {
        long pages = from.number(0, "PRAGMA page_count") - from.number(0, "PRAGMA freelist_count");
        return pages * from.number(0, "PRAGMA page_size");
    }
}
