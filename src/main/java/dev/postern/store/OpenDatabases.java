package dev.postern.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// Which databases this process has open, by whatever name. The system takes away all locks that a process has on a
/// file as soon as it closes any descriptor of it, and without them another process takes the write-ahead log away
/// under us. SQLite minds that among its own descriptors; whoever else wants to look into the file must do so while
/// SQLite has it not open. Safe for use by many threads.
final class OpenDatabases {
    /// By what the system tells files apart: device and inode. Guarded by the class.
    private static final Map<Object, Integer> OPEN = new HashMap<>();

    private OpenDatabases() {}

    /// Looks into a file that nobody here has open.
    interface Look {
        void at(Path file) throws IOException, StoreException;
    }

    /// A database that counts as open.
    ///
    /// @param key of its file
    record Held(Connection connection, Object key) {
        /// To be called once, after every connection of this process that was opened for the same purpose is closed.
        void release() {
            OpenDatabases.release(key);
        }

        /// Closes the connection and releases the database.
        void giveUp() throws SQLException {
            try {
                connection.close();
            } finally {
                release();
            }
        }
    }

    /// Opens a database, after a look into it where this process does not have it open.
    static synchronized Held open(Path file, Look look) throws IOException, SQLException, StoreException {
        var key = keyOf(file);
        if (!OPEN.containsKey(key)) {
            look.at(file);
        }
        var held = new Held(Connections.open(file), key);
        OPEN.merge(key, 1, Integer::sum);
        return held;
    }

    /// Looks into a database that SQLite need not open for it. What this process has open it has looked into before.
    static synchronized void look(Path file, Look look) throws IOException, StoreException {
        if (!OPEN.containsKey(keyOf(file))) {
            look.at(file);
        }
    }

    private static Object keyOf(Path file) throws IOException {
        return Objects.requireNonNull(
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey(),
                "a file system that tells files apart");
    }

    private static synchronized void release(Object key) {
        OPEN.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}
