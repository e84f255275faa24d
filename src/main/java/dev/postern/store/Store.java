package dev.postern.store;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The durable records in `postern.db` (STO). What a writing method has returned from is on the disk and
/// survives the end of this process and of the machine. Several processes may have it open at once. Safe for
/// use by many threads.
public final class Store implements AutoCloseable {
    /// What a command that came for something else prunes at most, so that nobody notices.
    private static final int STEPS_IN_PASSING = 4;

    static final String OWNERS_OF_OPEN = """
            SELECT owner FROM calls WHERE outcome IS NULL UNION SELECT owner FROM runs WHERE state IS NULL""";

    private final DatabaseFile file;
    private final Owners owners;
    private final InstantSource time;
    private final Writer writer;
    private final ReentrantLock reading = new ReentrantLock();
    private final OpenDatabases.Held held;
    private final RunRecords runRecords = new RunRecords(this);
    private @Nullable Statements reader;
    private boolean closed;

    private Store(DatabaseFile file, OpenDatabases.Held held, Owners owners, InstantSource time, Writer writer) {
        this.file = file;
        this.held = held;
        this.owners = owners;
        this.time = time;
        this.writer = writer;
    }

    /// Opens the records, making the file where it is missing, and settles what dead owners left open (CAL-4).
    ///
    /// @param file in a directory that only we can write, and itself no link and ours: whoever asks has seen to it
    public static Store open(Path file, Owners owners, InstantSource time) throws StoreException {
        return open(new DatabaseFile(file, Migrations.ours(), owners), owners, time, Writer.Steps.NONE);
    }

    static Store open(DatabaseFile file, Owners owners, InstantSource time, Writer.Steps steps) throws StoreException {
        var held = file.open();
        List<String> dead;
        Store store;
        try {
            var statements = new Statements(held.connection());
            dead = dead(statements, owners);
            store = new Store(file, held, owners, time, new Writer(statements, file.path(), steps));
        } catch (SQLException e) {
            giveUp(held);
            throw StoreProblems.of(e, file.path());
        } catch (RuntimeException | Error e) {
            giveUp(held);
            throw e;
        }
        try {
            store.recover(dead);
        } catch (StoreException e) {
            store.close();
            throw e;
        }
        return store;
    }

    /// What is wrong with the records of a file that may not exist, null for nothing. Changes and makes nothing.
    public static @Nullable Problem inspect(Path file, Owners owners) {
        return new DatabaseFile(file, Migrations.ours(), owners).inspect();
    }

    /// Does again what opening it does, for whoever looks at what has been open for long: settles what owners left
    /// open that have died meanwhile (CAL-4), and notices when the file is not the one of that name any more.
    public void refresh() throws StoreException {
        writer.checkPlace();
        recover(read(from -> dead(from, owners)));
    }

    private static List<String> dead(Statements statements, Owners owners) throws SQLException {
        var dead = new ArrayList<String>();
        try (var rows = statements.prepared(OWNERS_OF_OPEN).executeQuery()) {
            while (rows.next()) {
                var owner = rows.getString(1);
                if (!owner.equals(owners.own()) && owners.gone(owner)) {
                    dead.add(owner);
                }
            }
        }
        return dead;
    }

    /// Where nothing can be written, what was recorded can still be read; a call finds out by itself.
    private void recover(List<String> dead) throws StoreException {
        try {
            for (var owner : dead) {
                writer.write(to -> CallWrites.ownerDied(to, owner, time.instant()));
            }
        } catch (StoreException e) {
            if (e.problem().code() != ErrorCode.STORAGE_UNWRITABLE) {
                throw e;
            }
        }
    }

    /// Records that a call, and its run with it, is about to be sent.
    public void intend(CallStart start, CallStart.Intent intent) throws StoreException {
        writer.write(to -> CallWrites.begin(to, owners.own(), start, intent));
    }

    /// Records how a call ended, and its run with it; also of one that came to no intent.
    public void settle(CallStart start, CallEnd end) throws StoreException {
        writer.write(to -> CallWrites.end(to, owners.own(), start, end));
    }

    /// Newest first.
    ///
    /// @param before the id of a run, whose predecessors are read; null for the newest of all
    public List<RunRow> runs(int most, @Nullable String before) throws StoreException {
        return read(from -> RecordReader.runs(from, most, before));
    }

    /// The runs whose id begins with `start`, two at most: more than one is ambiguous already.
    public List<RunRow> runsNamed(String start) throws StoreException {
        return read(from -> RecordReader.runsNamed(from, start));
    }

    /// As [#runsNamed], of calls.
    public List<CallRow> callsNamed(String start) throws StoreException {
        return read(from -> RecordReader.callsNamed(from, start));
    }

    /// The calls of a run, in the order in which they began.
    public List<CallRow> callsOf(String runId) throws StoreException {
        return read(from -> RecordReader.callsOf(from, runId));
    }

    /// What is held of the runs of agents.
    public RunRecords runRecords() {
        return runRecords;
    }

    /// Drops what `retention` no longer covers, all of it.
    ///
    /// @return how many runs were dropped
    public int prune(Retention retention) throws StoreException {
        return prune(Pruning.whole(retention, time.instant()), Integer.MAX_VALUE);
    }

    /// As [#prune], at most once a day, and only as much of it as nobody notices; the next one goes on.
    public void pruneInPassing(Retention retention) throws StoreException {
        var _ = prune(Pruning.onceADay(retention, time.instant()), STEPS_IN_PASSING);
    }

    private int prune(Pruning start, int steps) throws StoreException {
        var pruning = new AtomicReference<>(start);
        for (int step = 0; step < steps && !pruning.get().done(); step++) {
            var current = pruning.get();
            writer.write(to -> pruning.set(current.step(to)));
        }
        return pruning.get().dropped();
    }

    /// How much of the file is in use.
    public long bytes() throws StoreException {
        return read(Pruning::bytes);
    }

    interface Query<T extends @Nullable Object> {
        T ask(Statements from) throws SQLException;
    }

    /// As the writing methods do: returns when `work` is on the disk.
    void write(Writer.Work work) throws StoreException {
        writer.write(work);
    }

    String owner() {
        return owners.own();
    }

    <T extends @Nullable Object> T read(Query<T> query) throws StoreException {
        reading.lock();
        try {
            if (closed) {
                throw new StoreException(StoreProblems.closed());
            }
            if (reader == null) {
                reader = new Statements(Connections.open(file.path()));
            }
            return query.ask(reader);
        } catch (SQLException e) {
            stopReading();
            throw StoreProblems.of(e, file.path());
        } finally {
            reading.unlock();
        }
    }

    /// Returns when everything is on the disk and the file is closed. Harmless when called again.
    @Override
    public void close() {
        boolean first;
        reading.lock();
        try {
            first = !closed;
            closed = true;
            stopReading();
        } finally {
            reading.unlock();
        }
        writer.close();
        if (first) {
            held.release();
        }
    }

    private void stopReading() {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (SQLException e) {
            // Reading has nothing to lose.
        }
        reader = null;
    }

    private static void giveUp(OpenDatabases.Held held) {
        try {
            held.giveUp();
        } catch (SQLException e) {
            // Nothing was promised yet.
        }
    }
}
