package dev.postern.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/// The numbered steps that make the tables what this version knows: script n leads from version n − 1 to n,
/// which `PRAGMA user_version` counts. A script that was released is never changed.
///
/// @param scripts the first makes version 1
record Migrations(List<Script> scripts) {
    /// Marks a database as Postern's: `Post` in ASCII.
    static final int APPLICATION = 0x506F7374;

    /// SQL, asked for only when a step is due.
    interface Script {
        String sql();
    }

    static Migrations ours() {
        return new Migrations(List.of(() -> resource("v1.sql"), () -> resource("v2.sql")));
    }

    int newest() {
        return scripts.size();
    }

    /// Takes every step that is missing, all in one transaction: a process that dies in it has changed nothing.
    /// Of two processes that try, one finds nothing left to do.
    void apply(Connection connection) throws SQLException {
        Connections.run(connection, "BEGIN IMMEDIATE");
        try {
            int version = Connections.number(connection, "PRAGMA user_version");
            for (var script : scripts.subList(Math.min(version, newest()), newest())) {
                Connections.run(connection, script.sql());
            }
            if (version < newest()) {
                Connections.run(connection, "PRAGMA user_version = " + newest());
            }
            Connections.run(connection, "COMMIT");
        } catch (SQLException e) {
            rollBack(connection);
            throw e;
        }
    }

    private static void rollBack(Connection connection) {
        try {
            Connections.run(connection, "ROLLBACK");
        } catch (SQLException e) {
            // SQLite has done so itself, as after a full disk.
        }
    }

    private static String resource(String name) {
        try (var in = Objects.requireNonNull(Migrations.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
