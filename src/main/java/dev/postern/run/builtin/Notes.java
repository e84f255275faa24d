package dev.postern.run.builtin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.secret.Redactor;
import dev.postern.store.LazyStore;
import dev.postern.store.NoteRow;
import dev.postern.store.RunRecords;
import dev.postern.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The owner's notes, in the database of the data directory, without secrets (STO-2). Safe for use by many
/// threads.
final class Notes {
    /// In code points: what a model can take in at once without giving up much else.
    static final int LONGEST = 16_384;

    /// More is a sign of a model that runs away.
    private static final int MOST = 256;

    private final LazyStore store;
    private final Supplier<Redactor> redactor;
    private final InstantSource time;

    Notes(LazyStore store, Supplier<Redactor> redactor, InstantSource time) {
        this.store = store;
        this.redactor = redactor;
        this.time = time;
    }

    private RunRecords records() throws StoreException {
        return store.get().runRecords();
    }

    ObjectNode list() throws StoreException {
        var list = JsonNodeFactory.instance.objectNode();
        var notes = list.putArray("notes");
        for (var note : records().notes()) {
            notes.addObject()
                    .put("name", note.name())
                    .put("characters", note.text().codePointCount(0, note.text().length()))
                    .put("changed", Instant.ofEpochMilli(note.changed()).toString());
        }
        return list;
    }

    /// Null when there is none of that name.
    @Nullable
    ObjectNode read(String name) throws StoreException {
        var note = records().note(name);
        return note == null
                ? null
                : JsonNodeFactory.instance
                        .objectNode()
                        .put("name", name)
                        .put("text", note.text())
                        .put("changed", Instant.ofEpochMilli(note.changed()).toString());
    }

    /// Null when there are too many to begin another.
    @Nullable
    ObjectNode write(String name, String text) throws StoreException {
        var clean = redactor.get().redact(text);
        boolean written = records().write(new NoteRow(name, clean.text(), time.millis()), MOST);
        return written ? JsonNodeFactory.instance.objectNode().put("name", name).put("redacted", clean.count()) : null;
    }

    static String full() {
        return "There are " + MOST + " notes already, which is the most there can be. Replace one of them.";
    }
}
