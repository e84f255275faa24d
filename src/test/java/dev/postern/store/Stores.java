package dev.postern.store;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Stores, calls and owners for tests.
final class Stores {
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    static final InstantSource CLOCK = InstantSource.fixed(NOW);
    static final CallEnd.Result RESULT =
            new CallEnd.Result("[{\"type\":\"text\",\"text\":\"hi\"}]", null, false, "{}", false, 0);

    static {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
    }

    private Stores() {}

    static Store open(Path file) throws StoreException {
        return open(file, new Processes("me"));
    }

    static Store open(Path file, Owners owners) throws StoreException {
        return Store.open(file, owners, CLOCK);
    }

    static Store open(Path file, Owners owners, Writer.Steps steps) throws StoreException {
        return Store.open(new DatabaseFile(file, Migrations.ours(), owners), owners, CLOCK, steps);
    }

    /// A call that begins `ago` seconds before now.
    static CallStart start(long ago) {
        var begun = NOW.minusSeconds(ago);
        var id = new UUID(begun.toEpochMilli() << 16 | 0x7000, UUID.randomUUID().getLeastSignificantBits());
        return new CallStart(
                "call_" + id, "run_" + id, "cli", "command", new CallStart.What("files", "read_file", null), begun);
    }

    static CallStart.Intent intent() {
        return intent("{\"path\":\"/notes\"}");
    }

    static CallStart.Intent intent(String arguments) {
        return new CallStart.Intent("digest", arguments, arguments.length(), NOW);
    }

    static CallEnd succeeded() {
        return succeeded(RESULT);
    }

    static CallEnd succeeded(CallEnd.@Nullable Result result) {
        return new CallEnd(NOW, NOW.plusMillis(3), 3, "succeeded", "completed", null, result);
    }

    /// Processes of which a test decides who is gone.
    static final class Processes implements Owners {
        final Set<String> gone = new HashSet<>();
        private final String own;

        Processes(String own, String... gone) {
            this.own = own;
            this.gone.addAll(Set.of(gone));
        }

        @Override
        public String own() {
            return own;
        }

        @Override
        public boolean gone(String owner) {
            return gone.contains(owner);
        }
    }
}
