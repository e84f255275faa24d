package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.base.ErrorCode;
import dev.postern.store.Stores.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFileTest {
    private static final Migrations.Script NEXT =
            () -> "ALTER TABLE calls ADD COLUMN note TEXT; CREATE TABLE more (a INTEGER) STRICT;";

    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        file = directory.resolve("postern.db");
    }

    private static final int NEWEST = Migrations.ours().newest();

    /// All migrations there are, and `more`.
    private static Migrations upTo(Migrations.Script... more) {
        return new Migrations(Stream.concat(Migrations.ours().scripts().stream(), Arrays.stream(more))
                .toList());
    }

    private Store open(Migrations migrations) throws StoreException {
        return Store.open(
                new DatabaseFile(file, migrations, new Processes("me")),
                new Processes("me"),
                Stores.CLOCK,
                Writer.Steps.NONE);
    }

    private StoreException refusal() {
        return catchThrowableOfType(StoreException.class, () -> {
            try (var store = Stores.open(file)) {
                store.runs(10, null);
                store.intend(Stores.start(1), Stores.intent());
                store.callsNamed("call_");
            }
        });
    }

    private void untouched(byte[] before) throws IOException {
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "SQLite format 3", "SQLite format 3\0", "text", "noise"})
    @Tag("STO-3")
    @Tag("CLI-5")
    void refusesWhatIsNoDatabaseAndLeavesItAlone(String content) throws Exception {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        if (content.equals("noise")) {
            bytes = new byte[20_000];
            new Random(7).nextBytes(bytes);
        }
        Files.write(file, bytes);

        var refusal = refusal();

        assertThat(refusal.problem().code()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
        assertThat(refusal.problem().message()).contains(file.toString(), "left as it is");
        assertThat(refusal.problem().next()).contains("move");
        untouched(bytes);
    }

    @Test
    @Tag("STO-3")
    void refusesADatabaseThatIsCutShortAndLeavesItAlone() throws Exception {
        filled();
        byte[] whole = Files.readAllBytes(file);
        for (int pages : List.of(1, 2, 7, 15)) {
            byte[] part = Arrays.copyOf(whole, pages * 4_096);
            Files.write(file, part);

            var refusal = refusal();

            assertThat(refusal).as(pages + " pages").isNotNull();
            assertThat(refusal.problem().code()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
            untouched(part);
        }
    }

    @Test
    @Tag("STO-3")
    void reportsDamageInsideADatabase() throws Exception {
        filled();
        byte[] bytes = Files.readAllBytes(file);
        var random = new Random(11);
        for (int at = 4_096; at < bytes.length; at++) {
            bytes[at] = (byte) random.nextInt();
        }
        Files.write(file, bytes);

        assertThat(refusal().problem().code()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
    }

    private void filled() throws StoreException {
        try (var store = Stores.open(file)) {
            for (int number = 0; number < 200; number++) {
                var call = Stores.start(number);
                store.intend(call, Stores.intent("{\"text\":\"" + "x".repeat(500) + "\"}"));
                store.settle(call, Stores.succeeded());
            }
        }
    }

    @Test
    @Tag("STO-3")
    void refusesAnotherProgramsDatabase() throws Exception {
        Files.createFile(file);
        try (var connection = Connections.open(file)) {
            Connections.run(connection, "CREATE TABLE theirs (a); PRAGMA user_version = 1");
        }
        byte[] before = Files.readAllBytes(file);

        assertThat(refusal().problem().message()).contains("not a database of Postern's");
        untouched(before);
    }

    @Test
    @Tag("STO-1")
    void refusesANewerDatabaseAndLeavesItAlone() throws Exception {
        open(upTo(NEXT)).close();
        byte[] before = Files.readAllBytes(file);

        var refusal = refusal();

        assertThat(refusal.problem().code()).isEqualTo(ErrorCode.STORAGE_NEWER);
        assertThat(refusal.problem().message()).contains("version " + (NEWEST + 1), "up to " + NEWEST);
        untouched(before);
    }

    @Test
    @Tag("STO-1")
    void keepsACopyOfTheFileBeforeItMigratesIt() throws Exception {
        var call = Stores.start(1);
        try (var store = open(upTo())) {
            store.intend(call, Stores.intent());
        }
        try (var store = open(upTo(NEXT))) {
            assertThat(store.callsNamed(call.callId())).hasSize(1);
            store.settle(call, Stores.succeeded());
        }
        var copy = directory.resolve("postern.db.v" + NEWEST);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        try (var connection = Connections.open(copy)) {
            assertThat(Connections.number(connection, "PRAGMA user_version")).isEqualTo(NEWEST);
            assertThat(Connections.number(connection, "SELECT count(*) FROM calls WHERE outcome IS NULL"))
                    .isEqualTo(1);
        }
        try (var connection = Connections.open(file)) {
            assertThat(Connections.number(connection, "PRAGMA user_version")).isEqualTo(NEWEST + 1);
            assertThat(Connections.number(connection, "SELECT count(*) FROM more"))
                    .isZero();
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, copy);
        }
    }

    @Test
    @Tag("STO-1")
    void takesTheRecordsOfEveryEarlierVersionAlong() throws Exception {
        for (int version = 1; version < NEWEST; version++) {
            var call = Stores.start(version);
            var old = Migrations.ours().scripts().subList(0, version);
            try (var store = open(new Migrations(old))) {
                store.intend(call, Stores.intent());
                store.settle(call, Stores.succeeded());
            }
            try (var store = Stores.open(file)) {
                assertThat(store.runs(10, null)).hasSize(1);
                assertThat(store.callsOf(call.runId())).hasSize(1);
                assertThat(store.runRecords().messagesOf(call.runId())).isEmpty();
            }
            Files.delete(file);
        }
    }

    @Test
    @Tag("STO-1")
    void keepsTheCopyOfTheProcessThatMigratedItFirst() throws Exception {
        open(upTo()).close();
        open(upTo(NEXT)).close();
        try (var slower = Connections.open(file)) {
            new DatabaseFile(file, upTo(NEXT), new Processes("me")).keepCopy(slower, NEWEST);
        }

        var copy = directory.resolve("postern.db.v" + NEWEST);
        try (var connection = Connections.open(copy)) {
            assertThat(Connections.number(connection, "PRAGMA user_version")).isEqualTo(NEWEST);
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, copy);
        }
    }

    @Test
    @Tag("STO-3")
    void saysThatTheDiskIsFullWhenItFillsUpInAMigration() throws Exception {
        open(upTo()).close();
        Migrations.Script large =
                () -> "CREATE TABLE more (a BLOB) STRICT; INSERT INTO more VALUES (zeroblob(1000000))";
        try (var connection = Connections.open(file)) {
            Connections.run(connection, "PRAGMA max_page_count = 50");

            var failure =
                    catchThrowableOfType(SQLException.class, () -> upTo(large).apply(connection));

            assertThat(StoreProblems.of(failure, file).problem().message()).contains("the disk is full");
        }
    }

    @Test
    @Tag("STO-1")
    void keepsNoCopyOfWhatItHasJustMade() throws Exception {
        open(upTo(NEXT)).close();

        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @Tag("STO-1")
    void changesNothingWhenAMigrationFails() throws Exception {
        open(upTo()).close();

        var failure = catchThrowableOfType(
                StoreException.class,
                () -> open(upTo(NEXT, () -> "CREATE TABLE calls (a)")).close());

        assertThat(failure).isNotNull();
        try (var connection = Connections.open(file)) {
            assertThat(Connections.number(connection, "PRAGMA user_version")).isEqualTo(NEWEST);
            assertThat(Connections.number(connection, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'"))
                    .isZero();
        }
        open(upTo()).close();
    }

    @Test
    @Tag("STO-1")
    void isMadeOnceByManyThatNeedIt() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            var all = threads.invokeAll(IntStream.range(0, 8)
                    .<Callable<Void>>mapToObj(number -> () -> {
                        try (var store = Stores.open(file)) {
                            store.intend(Stores.start(number), Stores.intent());
                        }
                        return null;
                    })
                    .toList());
            for (Future<?> each : all) {
                each.get();
            }
        }
        try (var store = Stores.open(file)) {
            assertThat(store.runs(100, null)).hasSize(8);
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @Tag("STO-3")
    void sweepsWhatAKilledMakerLeftAndNothingElse() throws Exception {
        var of = List.of("7 1 boot space", "8 1 boot space", "me");
        for (var owner : of) {
            var name = new Unfinished(file, new Processes(owner)).begin();
            Files.createFile(name.resolveSibling(name.getFileName() + "-journal"));
        }
        var others = List.of("postern.db.new", "postern.db.7.new", "postern.db.x.new.y", "other.7 1 boot space.1.new");
        for (var name : others) {
            Files.createFile(directory.resolve(name));
        }
        var linked = directory.resolve("postern.db.7~1~boot~space.1.new");
        Files.createSymbolicLink(linked, directory.resolve(others.getFirst()));

        Stores.open(file, new Processes("me", "7 1 boot space")).close();

        try (var files = Files.list(directory)) {
            var left = files.map(each -> each.getFileName().toString()).toList();
            assertThat(left)
                    .containsAll(others)
                    .contains("postern.db", linked.getFileName().toString());
            assertThat(left)
                    .filteredOn(each -> each.startsWith("postern.db.7~"))
                    .hasSize(1);
            assertThat(left)
                    .filteredOn(each -> each.startsWith("postern.db.8~"))
                    .hasSize(2);
            assertThat(left)
                    .filteredOn(each -> each.startsWith("postern.db.me."))
                    .hasSize(2);
        }
    }

    @Test
    @Tag("STO-3")
    void refusesALogWithoutItsDatabase() throws Exception {
        var log = Files.writeString(directory.resolve("postern.db-wal"), "left over");

        var refusal = refusal();

        assertThat(refusal.problem().code()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
        assertThat(log).hasContent("left over");
        assertThat(file).doesNotExist();
    }

    @Test
    @Tag("STO-3")
    void saysWhyADatabaseCanNotBeMade() throws Exception {
        file = directory.resolve("missing/postern.db");

        assertThat(refusal().problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
    }
}
