package dev.postern.app;

import dev.postern.base.ProcessIdentity;
import dev.postern.datadir.DataDirectory;
import dev.postern.datadir.DataDirectory.Checked;
import dev.postern.host.StoredRecords.Opened;
import dev.postern.host.StoredRecords.Opening;
import dev.postern.natives.ProcessTable;
import dev.postern.store.LazyStore;
import dev.postern.store.Owners;
import dev.postern.store.SqliteLibrary;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Opens the records of a data directory, once it has been seen that its database may be used. It is an
/// opening of its own with each call of a method here.
final class Recording {
    static final Owners OWNERS = new Owners() {
        @Override
        public String own() {
            return ProcessTable.own().text();
        }

        @Override
        public boolean gone(String owner) {
            var identity = ProcessIdentity.parse(owner);
            return identity != null && ProcessTable.life(identity) == ProcessTable.Life.DEAD;
        }
    };

    private final DataDirectory directory;
    private final InstantSource time;

    Recording(DataDirectory directory, InstantSource time) {
        this.directory = directory;
        this.time = time;
    }

    /// For calls: made where they are missing.
    LazyStore toWrite() {
        return new LazyStore(() -> {
            var problem = directory.create();
            if (problem == null && directory.checkDatabase(true) instanceof Checked.Refused refused) {
                problem = refused.problem();
            }
            if (problem != null) {
                throw new StoreException(problem);
            }
            return open();
        });
    }

    /// For looking at: null where nothing was ever recorded.
    @Nullable
    Opened toRead() throws StoreException {
        return toRead(() -> new Opened(open(), false));
    }

    /// As [#toRead()], with what this process has open for writing, where that can be written.
    @Nullable
    Opened toRead(LazyStore shared) throws StoreException {
        return toRead(() -> {
            if (!(directory.checkDatabase(true) instanceof Checked.Ready)) {
                return new Opened(open(), false);
            }
            var store = shared.get();
            store.refresh();
            return new Opened(store, true);
        });
    }

    private @Nullable Opened toRead(Opening opening) throws StoreException {
        return switch (directory.checkDatabase(false)) {
            case Checked.Absent _ -> null;
            case Checked.Refused refused -> throw new StoreException(refused.problem());
            case Checked.Ready _ -> opening.open();
        };
    }

    private Store open() throws StoreException {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
        return Store.open(directory.database(), OWNERS, time);
    }
}
