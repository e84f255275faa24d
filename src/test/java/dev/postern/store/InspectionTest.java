package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.store.Stores.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A look at a database tells what is wrong with it, and leaves everything as it is.
@Tag("CLI-7")
@Tag("STO-3")
class InspectionTest {
    private static final String[] SUFFIXES = {"", "-wal", "-shm"};

    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        file = directory.resolve("postern.db");
    }

    private static void fill(Path database) throws StoreException {
        try (var store = Stores.open(database)) {
            for (int number = 0; number < 100; number++) {
                var call = Stores.start(number);
                store.intend(call, Stores.intent("{\"text\":\"" + "x".repeat(500) + "\"}"));
                store.settle(call, Stores.succeeded());
            }
        }
    }

    /// As a process that is killed leaves it: with a log and its index.
    private void leaveOpen(Migrations migrations) throws Exception {
        var original = elsewhere.resolve("postern.db");
        try (var store = Store.open(
                new DatabaseFile(original, migrations, new Processes("me")),
                new Processes("me"),
                Stores.CLOCK,
                Writer.Steps.NONE)) {
            store.intend(Stores.start(1), Stores.intent());
            for (var suffix : SUFFIXES) {
                Files.copy(elsewhere.resolve("postern.db" + suffix), directory.resolve("postern.db" + suffix));
            }
        }
    }

    private Map<String, String> everything() throws IOException {
        var files = new TreeMap<String, String>();
        try (var list = Files.list(directory)) {
            for (var each : list.toList()) {
                files.put(
                        each.toString(),
                        Arrays.hashCode(Files.readAllBytes(each)) + " " + Files.getLastModifiedTime(each));
            }
        }
        return files;
    }

    private @Nullable ErrorCode found() throws IOException {
        var before = everything();
        Problem problem = Store.inspect(file, new Processes("me"));
        assertThat(everything()).isEqualTo(before);
        return problem == null ? null : problem.code();
    }

    @Test
    void findsNothingWrongWithASoundDatabaseOrNone() throws Exception {
        assertThat(found()).isNull();
        fill(file);

        assertThat(found()).isNull();
    }

    @Test
    void findsNothingWrongWithWhatAKilledProcessLeft() throws Exception {
        leaveOpen(Migrations.ours());
        assertThat(found()).isNull();

        Files.delete(directory.resolve("postern.db-shm"));
        assertThat(found()).isNull();
    }

    @Test
    void looksIntoADatabaseThatThisProcessHasOpen() throws Exception {
        try (var store = Stores.open(file)) {
            store.intend(Stores.start(1), Stores.intent());

            assertThat(Store.inspect(file, new Processes("me"))).isNull();
            store.settle(Stores.start(2), Stores.succeeded());
        }
        assertThat(found()).isNull();
    }

    @Test
    @Tag("STO-1")
    void findsANewerVersionAlsoWhereOnlyTheLogHasIt() throws Exception {
        var newer = new ArrayList<>(Migrations.ours().scripts());
        newer.add(() -> "CREATE TABLE more (a)");
        fill(elsewhere.resolve("postern.db"));
        leaveOpen(new Migrations(newer));

        assertThat(found()).isEqualTo(ErrorCode.STORAGE_NEWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50, 4_096, 100_000})
    void findsThatItWasCutShort(int length) throws Exception {
        fill(file);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));

        assertThat(found()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
    }

    @Test
    void findsDamageThatNoQueryWouldMeet() throws Exception {
        fill(file);
        byte[] bytes = Files.readAllBytes(file);
        int page = bytes.length / 2 / 4_096 * 4_096;
        Arrays.fill(bytes, page, page + 4_096, (byte) 0x5A);
        Files.write(file, bytes);

        assertThat(found()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
    }

    @Test
    void findsALogWithoutItsDatabase() throws Exception {
        Files.write(directory.resolve("postern.db-wal"), new byte[100]);

        assertThat(found()).isEqualTo(ErrorCode.STORAGE_DAMAGED);
    }
}
