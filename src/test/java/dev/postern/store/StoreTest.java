package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.base.ErrorCode;
import dev.postern.base.Retention;
import dev.postern.store.Stores.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        file = directory.resolve("a? b%20#é'\".db");
    }

    @Test
    @Tag("CAL-4")
    @Tag("RUN-1")
    void keepsCallsAndRunsAcrossProcesses() throws Exception {
        var call = Stores.start(10);
        try (var store = Stores.open(file)) {
            store.intend(call, Stores.intent("{\"a\":1}"));
        }
        try (var store = Stores.open(file)) {
            assertThat(store.callsNamed(call.callId())).singleElement().satisfies(row -> {
                assertThat(row.outcome()).isNull();
                assertThat(row.arguments()).isEqualTo("{\"a\":1}");
                assertThat(row.owner()).isEqualTo("me");
            });
            assertThat(store.runs(10, null))
                    .singleElement()
                    .satisfies(row -> assertThat(row.state()).isNull());

            store.settle(call, Stores.succeeded());
        }
        try (var store = Stores.open(file)) {
            assertThat(store.callsNamed(call.callId())).singleElement().satisfies(row -> {
                assertThat(row.outcome()).isEqualTo("succeeded");
                assertThat(row.result()).isEqualTo(Stores.RESULT);
                assertThat(row.sent()).isEqualTo(Stores.NOW.toEpochMilli());
            });
            assertThat(store.runs(10, null))
                    .singleElement()
                    .satisfies(row -> assertThat(row.state()).isEqualTo("completed"));
        }
    }

    @Test
    @Tag("CAL-2")
    void recordsACallThatCameToNoIntent() throws Exception {
        var call = Stores.start(10);
        try (var store = Stores.open(file)) {
            store.settle(
                    call,
                    new CallEnd(
                            null,
                            Stores.NOW,
                            1,
                            "refused",
                            "failed",
                            new CallEnd.Trouble("policy.not-allowed", "No.", "Ask."),
                            null));

            var row = store.callsOf(call.runId()).getFirst();
            assertThat(row.outcome()).isEqualTo("refused");
            assertThat(row.trouble()).isEqualTo(new CallEnd.Trouble("policy.not-allowed", "No.", "Ask."));
            assertThat(row.intended()).isNull();
            assertThat(store.runsNamed(call.runId()).getFirst().state()).isEqualTo("failed");
        }
    }

    @Test
    @Tag("STO-3")
    @Tag("CAL-4")
    void writesNothingToAFileThatNobodyWillFindAgain() throws Exception {
        try (var store = Stores.open(file)) {
            store.intend(Stores.start(10), Stores.intent());
            Files.move(file, file.resolveSibling("old.db"));

            assertThatThrownBy(() -> store.intend(Stores.start(9), Stores.intent()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("moved, replaced or deleted");
            Files.createFile(file);
            assertThatThrownBy(() -> store.intend(Stores.start(8), Stores.intent()))
                    .isInstanceOf(StoreException.class);

            Files.delete(file);
            Files.move(file.resolveSibling("old.db"), file);
            store.intend(Stores.start(7), Stores.intent());
        }
    }

    @Test
    @Tag("CAL-4")
    void anOpenStoreSettlesWhatOwnersLeftThatDiedSinceAndNoticesWhenItsFileHasGone() throws Exception {
        var call = Stores.start(10);
        var owners = new Processes("me");
        try (var store = Stores.open(file, owners);
                var other = Stores.open(file, new Processes("other"))) {
            other.intend(call, Stores.intent());
            store.refresh();
            assertThat(store.callsNamed(call.callId()).getFirst().outcome()).isNull();

            owners.gone.add("other");
            store.refresh();
            assertThat(store.callsNamed(call.callId()).getFirst().outcome()).isEqualTo("unknown");

            Files.move(file, file.resolveSibling("old.db"));
            assertThatThrownBy(store::refresh)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("moved, replaced or deleted");
        }
    }

    @Test
    @Tag("CAL-3")
    void settlesACallOnce() throws Exception {
        var call = Stores.start(10);
        try (var store = Stores.open(file)) {
            store.intend(call, Stores.intent());
            store.settle(call, Stores.succeeded());

            assertThatThrownBy(() -> store.settle(call, Stores.succeeded())).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.intend(call, Stores.intent())).isInstanceOf(StoreException.class);
            assertThat(store.callsOf(call.runId())).hasSize(1);
        }
    }

    @Test
    @Tag("CAL-4")
    @Tag("W23")
    void settlesOpenCallsOfDeadOwnersAsUnknownOnce() throws Exception {
        var ended = Stores.start(30);
        var open = Stores.start(20);
        try (var store = Stores.open(file, new Processes("dead"))) {
            store.intend(ended, Stores.intent());
            store.settle(ended, Stores.succeeded());
            store.intend(open, Stores.intent());
        }
        try (var store = Stores.open(file, new Processes("me", "dead"))) {
            var row = store.callsNamed(open.callId()).getFirst();
            assertThat(row.outcome()).isEqualTo("unknown");
            assertThat(row.trouble()).isNotNull().satisfies(trouble -> {
                assertThat(trouble.code()).isEqualTo(ErrorCode.UNKNOWN_OWNER_DIED.code());
                assertThat(trouble.message()).contains("may have done it");
                assertThat(trouble.next()).contains("Check with the server");
            });
            assertThat(store.runsNamed(open.runId()).getFirst().state()).isEqualTo("failed");
            assertThat(store.callsNamed(ended.callId()).getFirst().outcome()).isEqualTo("succeeded");
            assertThatThrownBy(() -> store.settle(open, Stores.succeeded())).isInstanceOf(StoreException.class);
        }
        var commits = new AtomicInteger();
        try (var store = Stores.open(file, new Processes("other", "dead", "me"), counting(commits))) {
            assertThat(store.callsNamed(open.callId()).getFirst().outcome()).isEqualTo("unknown");
            assertThat(commits).hasValue(0);
        }
    }

    @Test
    @Tag("CAL-4")
    void leavesOpenCallsOfLiveAndOfOwnCallsAlone() throws Exception {
        var theirs = Stores.start(30);
        var mine = Stores.start(20);
        try (var them = Stores.open(file, new Processes("them"));
                var me = Stores.open(file, new Processes("me"))) {
            them.intend(theirs, Stores.intent());
            me.intend(mine, Stores.intent());
            try (var again = Stores.open(file, new Processes("me", "me"))) {
                assertThat(again.callsNamed(theirs.callId()).getFirst().outcome())
                        .isNull();
                assertThat(again.callsNamed(mine.callId()).getFirst().outcome()).isNull();
            }
            them.settle(theirs, Stores.succeeded());
            me.settle(mine, Stores.succeeded());
        }
    }

    private static Writer.Steps counting(AtomicInteger commits) {
        return step -> {
            if (step == Writer.Step.AFTER_COMMIT) {
                commits.incrementAndGet();
            }
        };
    }

    @Test
    @Tag("CAL-4")
    void letsConcurrentIntentsShareOneCommit() throws Exception {
        int callers = 128;
        var commits = new AtomicInteger();
        var held = new CountDownLatch(1);
        var waiting = new CountDownLatch(callers);
        Writer.Steps steps = step -> {
            counting(commits).at(step);
            if (step == Writer.Step.BEFORE_COMMIT) {
                awaitQuietly(held);
            }
        };
        try (var store = Stores.open(file, new Processes("me"), steps);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var intents = new ArrayList<Future<?>>();
            for (int caller = 0; caller < callers; caller++) {
                var call = Stores.start(caller);
                intents.add(threads.submit(() -> {
                    waiting.countDown();
                    store.intend(call, Stores.intent());
                    return null;
                }));
            }
            waiting.await();
            // The first commit is held until everybody has come this far; who is about to queue up does so meanwhile.
            held.countDown();
            for (var intent : intents) {
                intent.get();
            }

            assertThat(store.runs(1_000, null)).hasSize(callers);
            assertThat(commits.get()).isBetween(1, callers / 4);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("STO-3")
    void failsOnlyTheWriteThatIsWrongAmongThoseThatShareACommit() throws Exception {
        var twice = Stores.start(50);
        var held = new CountDownLatch(1);
        var first = new AtomicInteger();
        Writer.Steps steps = step -> {
            if (step == Writer.Step.BEFORE_COMMIT && first.getAndIncrement() == 1) {
                awaitQuietly(held);
            }
        };
        var failed = ConcurrentHashMap.<String>newKeySet();
        try (var store = Stores.open(file, new Processes("me"), steps);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.intend(twice, Stores.intent());
            var all = new ArrayList<Future<?>>();
            for (var call : List.of(Stores.start(1), Stores.start(2), twice, Stores.start(3))) {
                all.add(threads.submit(() -> {
                    try {
                        store.intend(call, Stores.intent());
                    } catch (StoreException e) {
                        failed.add(call.callId());
                    }
                }));
            }
            held.countDown();
            for (var one : all) {
                one.get();
            }

            assertThat(failed).isEqualTo(Set.of(twice.callId()));
            assertThat(store.runs(10, null)).hasSize(4);
        }
    }

    @Test
    @Tag("STO-1")
    void letsTwoProcessesWriteAtOnce() throws Exception {
        try (var one = Stores.open(file, new Processes("one"));
                var two = Stores.open(file, new Processes("two"));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int number = 0; number < 100; number++) {
                var call = Stores.start(number);
                var store = number % 2 == 0 ? one : two;
                all.add(threads.submit(() -> {
                    store.intend(call, Stores.intent());
                    store.settle(call, Stores.succeeded());
                    return null;
                }));
            }
            for (var each : all) {
                each.get();
            }
            assertThat(one.runs(1_000, null)).hasSize(100).allMatch(run -> "completed".equals(run.state()));
        }
    }

    @Test
    @Tag("STO-1")
    @EnabledOnOs(OS.LINUX)
    void keepsItsLockWhateverElseTheSameProcessOpensAndCloses() throws Exception {
        try (var store = Stores.open(file)) {
            store.intend(Stores.start(1), Stores.intent());
            Files.createSymbolicLink(directory.resolve("link"), directory);
            var locks = locks();
            assertThat(locks).isNotEmpty();
            for (var name : List.of(file, directory.resolve("link").resolve(file.getFileName()))) {
                try (var second = Stores.open(name)) {
                    assertThat(second.runs(10, null)).hasSize(1);
                    assertThat(locks()).isEqualTo(locks);
                }
                assertThat(locks()).isEqualTo(locks);
            }
        }
        assertThat(locks()).isEmpty();
    }

    /// The kernel's locks on the database, without their numbers, which change.
    private List<String> locks() throws IOException {
        var inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
        try (var lines = Files.lines(Path.of("/proc/locks"))) {
            return lines.filter(line -> line.contains(inode))
                    .map(line -> line.substring(line.indexOf(':')))
                    .toList();
        }
    }

    @Test
    @Tag("STO-1")
    void keepsItsFilesToItsOwner() throws Exception {
        try (var store = Stores.open(file)) {
            store.intend(Stores.start(1), Stores.intent());

            try (var files = Files.list(directory)) {
                assertThat(files.toList())
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allSatisfy(
                                each -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                                        .isEqualTo("rw-------"));
            }
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @Tag("STO-1")
    void promisesWhatItsContractSays() throws Exception {
        try (var store = Stores.open(file);
                var connection = Connections.open(file)) {
            assertThat(store.bytes()).isPositive();
            assertThat(text(connection, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(text(connection, "PRAGMA synchronous")).isEqualTo("2");
            assertThat(text(connection, "PRAGMA foreign_keys")).isEqualTo("1");
            assertThat(text(connection, "PRAGMA auto_vacuum")).isEqualTo("2");
            assertThat(text(connection, "PRAGMA busy_timeout")).isEqualTo(Integer.toString(Connections.BUSY_MILLIS));
            assertThat(text(connection, "PRAGMA user_version"))
                    .isEqualTo(Integer.toString(Migrations.ours().newest()));
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    @Tag("STO-3")
    void reportsAFullDatabaseAndLosesNothingThatWasAcknowledged() throws Exception {
        Stores.open(file).close();
        var acknowledged = new ArrayList<String>();
        var connection = Connections.open(file);
        Connections.run(
                connection, "PRAGMA max_page_count = " + (Connections.number(connection, "PRAGMA page_count") + 20));
        try (var writer = new Writer(new Statements(connection), file, Writer.Steps.NONE)) {
            var full = catchThrowableOfType(StoreException.class, () -> {
                for (int number = 0; number < 10_000; number++) {
                    var call = Stores.start(number);
                    var intent = Stores.intent("{\"text\":\"" + "x".repeat(1_000) + "\"}");
                    writer.write(to -> CallWrites.begin(to, "me", call, intent));
                    acknowledged.add(call.callId());
                }
            });
            assertThat(full.problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
            assertThat(full.problem().message()).contains("the disk is full");
            assertThat(full.problem().next()).contains("Make room");
            assertThat(acknowledged).isNotEmpty();
        }
        try (var store = Stores.open(file)) {
            assertThat(store.runs(20_000, null)).hasSameSizeAs(acknowledged);
            store.intend(Stores.start(0), Stores.intent());
        }
    }

    @Test
    @Tag("STO-3")
    void recordsAgainOnceAFullDiskHasRoom() throws Exception {
        Stores.open(file).close();
        var connection = Connections.open(file);
        int pages = Connections.number(connection, "PRAGMA page_count") + 20;
        Connections.run(connection, "PRAGMA max_page_count = " + pages);
        try (var writer = new Writer(new Statements(connection), file, Writer.Steps.NONE)) {
            var large = Stores.intent("{\"text\":\"" + "x".repeat(100_000) + "\"}");
            for (int number = 0; number < 3; number++) {
                var call = Stores.start(number);
                assertThatThrownBy(() -> writer.write(to -> CallWrites.begin(to, "me", call, large)))
                        .hasMessageContaining("the disk is full");
            }
            Connections.run(connection, "PRAGMA max_page_count = " + (pages + 1_000));

            writer.write(to -> CallWrites.begin(to, "me", Stores.start(3), large));
        }
        try (var store = Stores.open(file)) {
            assertThat(store.runs(10, null)).hasSize(1);
        }
    }

    @Test
    @Tag("RUN-1")
    void writesTheEndOfARunThatCouldNotBeWrittenBeforeTheNextBegins() throws Exception {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        try (var store = Stores.open(file)) {
            var records = store.runRecords();
            var first = new RunStart.InSession("chat_1", "A title");
            assertThat(records.begin(new RunStart("run_1", "cli", "chat", first, "{}", now)))
                    .isEqualTo(RunRecords.Begun.YES);
            var elsewhere = file.resolveSibling("elsewhere.db");
            Files.move(file, elsewhere);
            assertThatThrownBy(() -> records.end("run_1", new RunEnd("completed", null, now)))
                    .isInstanceOf(StoreException.class);
            Files.move(elsewhere, file);

            var next = new RunStart.InSession("chat_1", null);
            assertThat(store.runRecords().begin(new RunStart("run_2", "cli", "chat", next, "{}", now)))
                    .isEqualTo(RunRecords.Begun.YES);

            assertThat(store.runs(10, null)).extracting(RunRow::state).containsExactlyInAnyOrder("completed", null);
        }
    }

    @Test
    @Tag("STO-2")
    void dropsWhatIsTooOldAndGivesTheRoomBack() throws Exception {
        long day = Duration.ofDays(1).toSeconds();
        var open = Stores.start(200 * day);
        var young = Stores.start(day);
        try (var store = Stores.open(file)) {
            store.intend(open, Stores.intent());
            for (int number = 0; number < Pruning.RUNS_A_STEP + 300; number++) {
                record(store, Stores.start(100 * day + number), 2_000);
            }
            record(store, young, 10);
        }
        long before = Files.size(file);
        try (var store = Stores.open(file)) {
            assertThat(store.prune(Retention.STANDARD)).isEqualTo(Pruning.RUNS_A_STEP + 300);
            assertThat(store.prune(Retention.STANDARD)).isZero();
            assertThat(store.runs(1_000, null)).extracting(RunRow::id).containsExactly(young.runId(), open.runId());
            assertThat(store.callsOf(open.runId())).hasSize(1);
        }
        assertThat(Files.size(file)).isLessThan(before / 4);
    }

    @Test
    @Tag("STO-2")
    void dropsTheOldestWhereTheRoomIsTooSmall() throws Exception {
        var newest = Stores.start(0);
        try (var store = Stores.open(file)) {
            for (int number = 1; number <= Pruning.RUNS_A_STEP * 3; number++) {
                record(store, Stores.start(10_000 - number), 1_000);
            }
            record(store, newest, 1_000);

            long bytes = store.bytes() / 2;
            int dropped = store.prune(new Retention(Duration.ofDays(90), bytes));

            assertThat(dropped).isBetween(Pruning.RUNS_A_STEP, Pruning.RUNS_A_STEP * 2);
            assertThat(store.bytes()).isLessThanOrEqualTo(bytes);
            assertThat(store.runs(1, null)).extracting(RunRow::id).containsExactly(newest.runId());
        }
    }

    @Test
    @Tag("STO-2")
    void dropsNoMoreThanItMustWhereRunsAreLarge() throws Exception {
        try (var store = Stores.open(file)) {
            for (int number = 0; number < 40; number++) {
                record(store, Stores.start(number), 200_000);
            }

            int dropped = store.prune(new Retention(Duration.ofDays(90), store.bytes() / 2));

            assertThat(dropped).isBetween(19, 22);
        }
    }

    @Test
    @Tag("STO-2")
    void dropsNothingForAnAgeFromBeforeThereWereIds() throws Exception {
        try (var store = Stores.open(file)) {
            record(store, Stores.start(1), 1);

            assertThat(store.prune(Retention.byAge(Duration.ofDays(30_000)))).isZero();
            assertThat(store.prune(Retention.byAge(Duration.ofDays(999_999)))).isZero();
            assertThat(store.runs(10, null)).hasSize(1);
        }
    }

    private static void record(Store store, CallStart call, int size) throws StoreException {
        store.settle(
                call,
                Stores.succeeded(new CallEnd.Result("[\"" + "x".repeat(size) + "\"]", null, false, "{}", false, 0)));
    }

    @Test
    @Tag("STO-2")
    void prunesInPassingOnceADayAndALittleAtATime() throws Exception {
        long year = Duration.ofDays(365).toSeconds();
        try (var store = Stores.open(file)) {
            for (int number = 0; number < Pruning.RUNS_A_STEP * 4; number++) {
                record(store, Stores.start(year + number), 1);
            }
            store.pruneInPassing(Retention.STANDARD);
            assertThat(store.runs(5_000, null)).hasSize(Pruning.RUNS_A_STEP);

            store.pruneInPassing(Retention.STANDARD);
            assertThat(store.runs(5_000, null)).isEmpty();
            store.pruneInPassing(Retention.STANDARD);
            record(store, Stores.start(year), 1);
            store.pruneInPassing(Retention.STANDARD);

            assertThat(store.runs(5_000, null)).hasSize(1);
        }
    }

    @Test
    void refusesWritesOnceItIsClosed() throws Exception {
        var store = Stores.open(file);
        store.close();
        store.close();

        assertThatThrownBy(() -> store.intend(Stores.start(1), Stores.intent()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }
}
