package dev.postern.store;

import dev.postern.base.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The file `postern.db`: looked at before SQLite opens it, made as a whole, copied before it is changed. Mode
/// 0600 from the first moment; the files that SQLite puts beside it take over its mode.
final class DatabaseFile {
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    /// Where SQLite's file format has the numbers, each of four bytes, the highest first.
    private static final int HEADER = 100;

    private static final int USER_VERSION = 60;
    private static final int APPLICATION_ID = 68;

    private static final String HEADLESS = "is missing, while its write-ahead log is still there";

    /// Reading more than that from a slow disk would keep a person waiting for many seconds.
    private static final long READ_THROUGH = 64L << 20;

    private final Path file;
    private final Migrations migrations;
    private final Unfinished unfinished;

    DatabaseFile(Path file, Migrations migrations, Owners owners) {
        this.file = file;
        this.migrations = migrations;
        this.unfinished = new Unfinished(file, owners);
    }

    Path path() {
        return file;
    }

    boolean exists() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Opens it with every migration done, having made it where it was missing.
    OpenDatabases.Held open() throws StoreException {
        unfinished.sweep();
        try {
            // Looked for first: the log is never there before its database.
            boolean log = isBeside("-wal");
            if (!exists()) {
                if (log) {
                    // SQLite would take it for the new database's own.
                    throw new StoreException(StoreProblems.damaged(file, HEADLESS));
                }
                make();
            }
            var held = OpenDatabases.open(file, this::judge);
            try {
                migrate(held.connection());
                return held;
            } catch (SQLException | IOException | StoreException | RuntimeException | Error e) {
                held.giveUp();
                throw e;
            }
        } catch (IOException e) {
            throw StoreProblems.of(e, file);
        } catch (SQLException e) {
            throw StoreProblems.of(e, file);
        }
    }

    private boolean isBeside(String suffix) {
        return Files.exists(file.resolveSibling(file.getFileName() + suffix), LinkOption.NOFOLLOW_LINKS);
    }

    /// What is wrong with it, null for nothing. Changes neither it nor anything beside it, and makes nothing. A
    /// database that is large is not read through to its end.
    @Nullable
    Problem inspect() {
        try {
            if (!exists()) {
                return isBeside("-wal") ? StoreProblems.damaged(file, HEADLESS) : null;
            }
            OpenDatabases.look(file, this::judge);
            boolean logged = isBeside("-wal");
            if (!logged || isBeside("-shm")) {
                // A log without its index, as in a copy, can't be read without making one.
                read(logged);
            }
            return null;
        } catch (StoreException e) {
            return e.problem();
        } catch (IOException e) {
            return StoreProblems.unreadable(file, e);
        } catch (SQLException e) {
            return StoreProblems.of(e, file).problem();
        }
    }

    private void read(boolean logged) throws SQLException, IOException, StoreException {
        try (var connection = Connections.openToRead(file, logged)) {
            judge(Connections.number(connection, "PRAGMA user_version"));
            if (Files.size(file) <= READ_THROUGH && !isSound(connection)) {
                throw new StoreException(StoreProblems.damaged(file, "is damaged"));
            }
        }
    }

    private static boolean isSound(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA quick_check(1)")) {
            return rows.next() && "ok".equals(rows.getString(1));
        }
    }

    /// What can be told from its first bytes, without SQLite, which would write beside or into what it opens. Only
    /// while this process does not have it open.
    private void judge(Path closed) throws IOException, StoreException {
        var header = ByteBuffer.allocate(HEADER);
        try (var channel = FileChannel.open(closed, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            while (header.hasRemaining() && channel.read(header) >= 0) {
                // until it is full or the file has ended
            }
        }
        if (header.position() == 0) {
            throw new StoreException(StoreProblems.damaged(file, "is empty"));
        }
        if (header.hasRemaining() || !Arrays.equals(header.array(), 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new StoreException(StoreProblems.damaged(file, "is not an SQLite database"));
        }
        if (header.getInt(APPLICATION_ID) != Migrations.APPLICATION) {
            throw new StoreException(StoreProblems.damaged(file, "is not a database of Postern's"));
        }
        judge(header.getInt(USER_VERSION));
    }

    private void judge(int version) throws StoreException {
        if (version > migrations.newest()) {
            throw new StoreException(StoreProblems.newer(file, version, migrations.newest()));
        }
        if (version < 1) {
            throw new StoreException(StoreProblems.damaged(file, "has no version"));
        }
    }

    private void migrate(Connection connection) throws SQLException, IOException, StoreException {
        // The first bytes tell only what has been moved there from the write-ahead log.
        int version = Connections.number(connection, "PRAGMA user_version");
        judge(version);
        if (version < migrations.newest()) {
            keepCopy(connection, version);
            migrations.apply(connection);
        }
    }

    /// Makes it under another name and gives it its own when it is whole: nobody ever sees a part of it, and a
    /// process that dies here leaves none behind under the name. Of several that make one, the first wins.
    private void make() throws IOException, SQLException {
        var fresh = unfinished.begin();
        try {
            try (var connection = Connections.open(fresh)) {
                Connections.run(connection, "PRAGMA auto_vacuum = INCREMENTAL");
                Connections.run(connection, "PRAGMA application_id = " + Migrations.APPLICATION);
                migrations.apply(connection);
                Connections.run(connection, "PRAGMA journal_mode = WAL");
            }
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            // Another process was faster; its database is as good.
        } finally {
            Files.deleteIfExists(fresh);
        }
        sync(directory());
    }

    /// Keeps none where another process has migrated it meanwhile: that one kept its own.
    void keepCopy(Connection connection, int version) throws SQLException, IOException {
        var fresh = unfinished.begin();
        try {
            try (var statement = connection.prepareStatement("VACUUM INTO ?")) {
                statement.setString(1, fresh.toString());
                statement.execute();
            }
            if (versionOf(fresh) != version) {
                return;
            }
            sync(fresh);
            Files.move(
                    fresh,
                    file.resolveSibling(file.getFileName() + ".v" + version),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        sync(directory());
    }

    private static int versionOf(Path copy) throws SQLException {
        try (var connection = Connections.open(copy)) {
            return Connections.number(connection, "PRAGMA user_version");
        }
    }

    private Path directory() {
        return file.resolveSibling(".");
    }

    private static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
