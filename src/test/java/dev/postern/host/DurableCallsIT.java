package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Retention;
import dev.postern.base.Threads;
import dev.postern.call.CallReport;
import dev.postern.call.DurableCallLedger;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.host.Records.CallRecord;
import dev.postern.host.Records.Page;
import dev.postern.secret.SecretRef;
import dev.postern.store.LazyStore;
import dev.postern.store.Owners;
import dev.postern.store.SqliteLibrary;
import dev.postern.store.Store;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import dev.postern.testkit.SoleOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Calls of real servers, recorded in a real database.
@ExtendWith(LeavesNothingBehind.class)
class DurableCallsIT {
    private static final String SECRET = "s3cr3t/\"Quoted\"+value=42";

    private static final Owners OWNERS = new SoleOwner();

    static {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
    }

    @TempDir
    private Path dir;

    private Path database() {
        return dir.resolve("postern.db");
    }

    private DurableCallLedger ledger(Path file) {
        return new DurableCallLedger(
                new LazyStore(() -> Store.open(file, OWNERS, InstantSource.system())), Retention.STANDARD);
    }

    private HostKit kit(Server... servers) {
        return HostKit.of(dir, Map.of("TEST_TOKEN", SECRET), ledger(database()), servers);
    }

    private Records records() {
        return new StoredRecords(() -> Files.exists(database())
                ? new StoredRecords.Opened(Store.open(database(), OWNERS, InstantSource.system()), false)
                : null);
    }

    private CallRecord recorded(CallReport report) {
        try (var records = records()) {
            return here(records.call(report.callId()));
        }
    }

    private static <T> T here(Answer<T> answer) {
        return switch (answer) {
            case Answer.Here<T> here -> here.value();
            case Answer.Not<T> not -> throw new AssertionError(not.problem().message());
        };
    }

    @Test
    @Tag("CAL-4")
    @Tag("RUN-1")
    @Tag("MOD-4")
    void recordsACallAsARunOfItsOwn() {
        try (var kit = kit(Server.of("s", Script.behaving()))) {
            var report = kit.call("s", "echo", "{\"text\":\"hé 😀\"}");

            var call = recorded(report);
            assertThat(call.server()).isEqualTo("s");
            assertThat(call.tool()).isEqualTo("echo");
            assertThat(call.outcome()).isEqualTo("succeeded");
            assertThat(String.valueOf(call.arguments())).isEqualTo("{\"text\":\"hé 😀\"}");
            assertThat(call.argumentBytes()).isEqualTo("{\"text\":\"hé 😀\"}".getBytes(StandardCharsets.UTF_8).length);
            assertThat(call.digest()).hasSize(64);
            assertThat(call.times().sent()).isNotNull();
            assertThat(call.result())
                    .isNotNull()
                    .satisfies(result -> assertThat(
                                    result.content().path(0).path("text").asText())
                            .isEqualTo("hé 😀"));
            try (var records = records()) {
                var run = here(records.run(call.runId()));
                assertThat(run.summary().state()).isEqualTo("completed");
                assertThat(run.summary().trigger()).isEqualTo("cli");
                assertThat(run.calls()).hasSize(1);
            }
        }
    }

    @Test
    @Tag("CAL-2")
    void recordsEveryOutcome() {
        var script = Script.behaving().on("call:add", "close stdout").atStart("say hello");
        try (var kit = kit(Server.of("s", script), Server.of("gone", "no-such-command-anywhere"))) {
            assertThat(recorded(kit.call("s", "fail", "{\"text\":\"x\"}")).outcome())
                    .isEqualTo("failed");
            assertThat(recorded(kit.call("s", "nope", "{}")).outcome()).isEqualTo("refused");
            assertThat(recorded(kit.call("s", "echo", "{}")).outcome()).isEqualTo("refused");
            var unsent = recorded(kit.call("gone", "echo", "{\"text\":\"x\"}"));
            assertThat(unsent.outcome()).isEqualTo("not-sent");
            assertThat(unsent.times().sent()).isNull();
            assertThat(unsent.arguments()).isNull();
            var unknown = recorded(kit.call("s", "add", "{\"a\":1,\"b\":2}"));
            assertThat(unknown.outcome()).isEqualTo("unknown");
            assertThat(unknown.times().sent()).isNotNull();
            assertThat(unknown.trouble()).isNotNull();
            try (var records = records()) {
                assertThat(here(records.runs(10, null)).items())
                        .hasSize(5)
                        .allSatisfy(run -> assertThat(run.state()).isEqualTo("failed"));
            }
        }
    }

    @Test
    @Tag("SEC-5")
    @Tag("STO-2")
    @Tag("K32")
    void storesNoSecretWhereverItStood() throws Exception {
        var encoded = Base64.getEncoder().encodeToString(("ab" + SECRET).getBytes(StandardCharsets.UTF_8));
        var server = Server.of("s", Script.behaving().tool("getenv").tool("structured"))
                .variable("TOKEN", new SecretRef.Env("TEST_TOKEN"))
                .tools("getenv", "echo", "fail", "structured");
        var text =
                Json.object("{}").put("text", "a " + SECRET + " b " + encoded).toString();
        try (var kit = kit(server)) {
            // The secret is known from the server's start on.
            kit.call("s", "getenv", "{\"name\":\"TOKEN\"}");
            var echoed = recorded(kit.call("s", "echo", text));
            kit.call("s", "fail", text);
            kit.call("s", "structured", Json.object("{}").put("value", SECRET).toString());
            kit.call("s", "echo", Json.object("{}").put(SECRET, 1).toString());
            var misplaced = recorded(kit.call("s", SECRET + "x".repeat(5_000), "{}"));

            assertThat(misplaced.tool()).startsWith("[redacted:TEST_TOKEN]xxx").hasSizeLessThan(250);
            assertThat(String.valueOf(echoed.arguments())).contains("[redacted:TEST_TOKEN]");
            // While it is open the newest records are in the log beside it.
            assertThat(Files.size(dir.resolve("postern.db-wal"))).isPositive();
            holdsNoSecret(encoded);
        }
        holdsNoSecret(encoded);
    }

    private void holdsNoSecret(String encoded) throws IOException {
        try (var files = Files.list(dir)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(bytes).as(file.toString()).doesNotContain("s3cr3t");
                assertThat(bytes.contains(encoded.substring(4, 20)))
                        .as(file.toString())
                        .isFalse();
            }
        }
    }

    @Test
    @Tag("STO-3")
    void makesNoDatabaseBeforeTheFirstCall() {
        try (var kit = kit(Server.of("s", Script.behaving()))) {
            assertThat(kit.host.status().servers()).hasSize(1);
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
        }
        assertThat(database()).doesNotExist();
        try (var records = records()) {
            assertThat(here(records.runs(10, null))).isEqualTo(new Page(List.of(), null));
        }
        assertThat(database()).doesNotExist();
    }

    @Test
    @Tag("STO-3")
    @Tag("P20")
    void sendsNothingWhereTheDiskIsFull() throws Exception {
        var disk = Files.createDirectory(dir.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "none", disk.toString()))
                .as("mounting a small disk, which takes root")
                .isZero();
        try {
            var record = dir.resolve("record");
            var file = disk.resolve("postern.db");
            Store.open(file, OWNERS, InstantSource.system()).close();
            fill(disk.resolve("filler"));
            try (var kit = HostKit.of(
                    dir, ledger(file), Server.of("s", Script.behaving().record(record)))) {
                var report = kit.call("s", "echo", "{\"text\":\"" + "x".repeat(30_000) + "\"}");

                assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.NotSent.class, notSent -> {
                    assertThat(notSent.problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
                    assertThat(notSent.problem().message()).contains("Nothing was sent");
                });
                Files.delete(disk.resolve("filler"));
                assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
                assertThat(Json.received(record, "tools/call")).hasSize(1);
            }
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static void fill(Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[512]);
            }
        } catch (IOException full) {
            // As it was meant.
        }
    }

    @Test
    @Tag("STO-3")
    @Tag("P20")
    void sendsNothingWhereTheDiskIsReadOnlyAndStillListsTools() throws Exception {
        var disk = Files.createDirectory(dir.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "none", disk.toString()))
                .as("mounting a disk, which takes root")
                .isZero();
        try {
            var file = disk.resolve("postern.db");
            Store.open(file, OWNERS, InstantSource.system()).close();
            assertThat(run("mount", "-o", "remount,ro", disk.toString())).isZero();
            var record = dir.resolve("record");
            try (var kit = HostKit.of(
                    disk, ledger(file), Server.of("s", Script.behaving().record(record)))) {
                assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome())
                        .isInstanceOfSatisfying(
                                Outcome.NotSent.class,
                                notSent ->
                                        assertThat(notSent.problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE));
                assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
                assertThat(Json.received(record, "tools/call")).isEmpty();
            }
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor();
    }

    @Test
    @Tag("CAL-4")
    void recordsTheOutcomeOfACallThatAStopInterrupts() throws Exception {
        var kit = kit(Server.of("s", Script.behaving()));
        var reported = new CompletableFuture<CallReport>();
        Threads.virtual("calling", () -> reported.complete(kit.call("s", "slow", "{\"millis\":600000}")));
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            try (var records = records()) {
                var runs = here(records.runs(1, null)).items();
                return !runs.isEmpty() && runs.getFirst().state() == null;
            }
        });

        kit.close();

        assertThat(recorded(reported.get()).outcome()).isEqualTo("unknown");
    }
}
