package dev.postern.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a store holds of the runs of agents besides their calls: sessions, messages, turns, questions to the
/// owner, and notes. What a writing method has returned from is on the disk. Safe for use by many threads.
public final class RunRecords {
    private final Store store;
    private final Map<String, RunEnd> owed = new ConcurrentHashMap<>();

    RunRecords(Store store) {
        this.store = store;
    }

    /// What came of the wish to begin a run.
    public enum Begun {
        YES,
        /// Another run of the session has not ended, and its owner lives.
        BUSY,
        /// There is no such session.
        NO_SESSION
    }

    /// Records that a run begins, and its session with it where that is new.
    public Begun begin(RunStart start) throws StoreException {
        for (var end : owed.entrySet()) {
            end(end.getKey(), end.getValue());
        }
        var begun = tryToBegin(start);
        if (begun != Begun.BUSY) {
            return begun;
        }
        store.refresh();
        return tryToBegin(start);
    }

    private Begun tryToBegin(RunStart start) throws StoreException {
        var begun = new AtomicReference<>(Begun.YES);
        store.write(to -> begun.set(RunWrites.begin(to, store.owner(), start)));
        return begun.get();
    }

    public void add(MessageRow message) throws StoreException {
        store.write(to -> RunWrites.add(to, message));
    }

    /// Records that the model is about to be asked.
    public void ask(String runId, int turn, TurnRow.Span span, Instant at) throws StoreException {
        store.write(to -> RunWrites.ask(to, runId, turn, span, at));
    }

    /// Records what the model answered, and the message that it came in, where there is one.
    public void answer(TurnRow turn, @Nullable MessageRow message) throws StoreException {
        store.write(to -> RunWrites.answer(to, turn, message));
    }

    /// Records how a run ended, unless that is recorded already. An end that can't be written is owed, and written
    /// before the next run begins: a run that stays open keeps its session from going on.
    public void end(String runId, RunEnd end) throws StoreException {
        owed.put(runId, end);
        store.write(to -> RunWrites.end(to, runId, end));
        owed.remove(runId);
    }

    /// Records that the owner is asked about a call.
    public void ask(ApprovalRow approval) throws StoreException {
        store.write(to -> RunWrites.ask(to, approval));
    }

    /// Records what became of it, once.
    ///
    /// @param decision `approved`, `approved-for-run`, `refused`, `expired`
    public void decide(String approvalId, String decision, Instant at) throws StoreException {
        store.write(to -> RunWrites.decide(to, approvalId, decision, at));
    }

    /// Newest first.
    ///
    /// @param before the id of a session, whose predecessors are read; null for the newest of all
    public List<SessionRow> sessions(int most, @Nullable String before) throws StoreException {
        return store.read(from -> RunReader.sessions(from, most, before));
    }

    /// The sessions whose id begins with `start`, two at most: more than one is ambiguous already.
    public List<SessionRow> sessionsNamed(String start) throws StoreException {
        return store.read(from -> RunReader.sessionsNamed(from, start));
    }

    /// The runs of a session, oldest first.
    public List<RunRow> runsOf(String sessionId) throws StoreException {
        return store.read(from -> RecordReader.runsOfSession(from, sessionId));
    }

    /// The messages of a run, in their order.
    public List<MessageRow> messagesOf(String runId) throws StoreException {
        return store.read(from -> RunReader.messagesOf(from, runId));
    }

    /// The messages of every run of a session, in their order, but for the system messages.
    public List<MessageRow> conversation(String sessionId) throws StoreException {
        return store.read(from -> RunReader.conversation(from, sessionId));
    }

    public List<TurnRow> turnsOf(String runId) throws StoreException {
        return store.read(from -> RunReader.turnsOf(from, runId));
    }

    /// JSON: the tools that a run was offered; null where none were recorded.
    public @Nullable String snapshotOf(String runId) throws StoreException {
        return store.read(from -> RunReader.snapshotOf(from, runId));
    }

    /// Drops a session with all its runs. One with an open run stays.
    ///
    /// @return whether it is gone
    public boolean deleteSession(String sessionId) throws StoreException {
        var deleted = new AtomicReference<>(false);
        store.write(to -> deleted.set(RunWrites.deleteSession(to, sessionId)));
        return deleted.get();
    }

    /// All notes by name.
    public List<NoteRow> notes() throws StoreException {
        return store.read(RunReader::notes);
    }

    public @Nullable NoteRow note(String name) throws StoreException {
        return store.read(from -> RunReader.note(from, name));
    }

    /// Writes a note, unless that would be one more than `most`.
    ///
    /// @return whether it was written
    public boolean write(NoteRow note, int most) throws StoreException {
        var written = new AtomicReference<>(false);
        store.write(to -> written.set(RunWrites.write(to, note, most)));
        return written.get();
    }
}
