package dev.postern.store;

import dev.postern.base.LibraryLogs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteOpenMode;

/// Opens connections that all keep the same promises: a commit has reached the disk when it returns (STO-1), and a
/// writer waits for another process's for a while.
final class Connections {
    /// As long as a request of a server may take. Whoever holds the lock longer than that is stuck.
    static final int BUSY_MILLIS = 5_000;

    private static final boolean MAC = System.getProperty("os.name").startsWith("Mac");

    static {
        LibraryLogs.silence();
    }

    private Connections() {}

    /// Opens a file that exists; makes none.
    static Connection open(Path file) throws SQLException {
        var config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setSynchronous(SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setGetGeneratedKeys(false);
        // As a URI every character of the path is taken as it is.
        var connection = config.createConnection("jdbc:sqlite:" + file.toUri());
        if (MAC) {
            // There fsync alone does not empty the disk's own cache.
            run(connection, "PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1");
        }
        return connection;
    }

    /// Opens a file that exists without changing it or anything beside it, now or when it is read.
    ///
    /// @param logged whether there is a write-ahead log and its index, which then count; without them nobody writes
    static Connection openToRead(Path file, boolean logged) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:sqlite:" + file.toUri() + "?mode=ro&" + (logged ? "readonly_shm=1" : "immutable=1"));
    }

    static int number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
