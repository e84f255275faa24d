package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.call.CallIntent;
import dev.postern.call.CallLedger;
import dev.postern.call.CallLedger.LedgerException;
import dev.postern.call.CallReport;
import dev.postern.call.CallSettlement;
import dev.postern.call.MemoryCallLedger.Entry;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The way of a call, with real servers.
@ExtendWith(LeavesNothingBehind.class)
class CallIT {
    @TempDir
    private Path dir;

    private static Outcome.Unknown unknown(CallReport report) {
        assertThat(report.outcome()).isInstanceOf(Outcome.Unknown.class);
        return (Outcome.Unknown) report.outcome();
    }

    private static String text(CallReport report) {
        assertThat(report.outcome()).isInstanceOf(Outcome.Succeeded.class);
        return ((Outcome.Succeeded) report.outcome())
                .result()
                .content()
                .path(0)
                .path("text")
                .asText();
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern", "both"})
    @Tag("CAL-1")
    @Tag("CAL-2")
    @Tag("WIR-1")
    void callsAnAllowedToolInEitherEra(String era) {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving().era(era)))) {
            assertThat(text(kit.call("s", "echo", "{\"text\":\"hé \\ud83d\\ude00\"}")))
                    .isEqualTo("hé \uD83D\uDE00");
        }
    }

    @Test
    @Tag("CAL-1")
    @Tag("CAL-4")
    void recordsTheIntentBeforeTheServerHearsOfTheCall() throws Exception {
        var record = dir.resolve("record");
        var heardBefore = new ArrayList<JsonNode>();
        var intended = new ArrayList<CallIntent>();
        var ledger = new Recording(intent -> {
            intended.add(intent);
            heardBefore.addAll(heard(record, HEARD_TOO_EARLY));
        });
        try (var kit = HostKit.of(dir, ledger, Server.of("s", Script.behaving().record(record)))) {
            assertThat(text(kit.call("s", "echo", "{\"text\":\"x\"}"))).isEqualTo("x");

            assertThat(intended).hasSize(1);
            assertThat(heardBefore).isEmpty();
            assertThat(Json.received(record, "tools/call")).hasSize(1);
        }
    }

    /// Long enough for a server to record what it was sent too early: only a wrong program waits for it in vain.
    private static final Duration HEARD_TOO_EARLY = Duration.ofMillis(300);

    private static List<JsonNode> heard(Path record, Duration within) {
        try {
            return await().pollInterval(Duration.ofMillis(20))
                    .atMost(within)
                    .until(() -> Json.received(record, "tools/call"), calls -> !calls.isEmpty());
        } catch (ConditionTimeoutException nothing) {
            return List.of();
        }
    }

    private static final Problem FULL =
            new Problem(ErrorCode.STORAGE_UNWRITABLE, "the disk is full.", "Make room, then try again.");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("CAL-1")
    @Tag("CAL-2")
    @Tag("CAL-4")
    @Tag("STO-3")
    void sendsNothingWhenTheIntentCannotBeRecorded(boolean expected) throws Exception {
        var record = dir.resolve("record");
        var ledger = new Recording(intent -> {
            if (expected) {
                throw new LedgerException(FULL, new IOException());
            }
            throw new IllegalStateException("the disk is full.");
        });
        try (var kit = HostKit.of(dir, ledger, Server.of("s", Script.behaving().record(record)))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.NotSent.class, notSent -> {
                assertThat(notSent.problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
                assertThat(notSent.problem().message()).contains("the disk is full. Nothing was sent.");
                assertThat(notSent.problem().next()).doesNotContain("check with the server");
            });
            assertThat(heard(record, HEARD_TOO_EARLY)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"answer", "result {\"content\":[],\"isError\":true}"})
    @Tag("CAL-2")
    @Tag("STO-3")
    void callsAnOutcomeThatCannotBeRecordedUnknown(String step) {
        var ledger = new Recording(intent -> {}) {
            @Override
            public void settle(CallSettlement settlement) throws LedgerException {
                throw new LedgerException(FULL, new IOException());
            }
        };
        try (var kit = HostKit.of(dir, ledger, Server.of("s", Script.behaving().on("call:echo", step)))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(unknown(report).problem().code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
            assertThat(unknown(report).problem().message()).contains("was sent").doesNotContain("Nothing was sent");
            assertThat(unknown(report).problem().next()).contains("check with the server");
        }
    }

    /// A ledger that shows each intent to the test.
    private static class Recording implements CallLedger {
        private interface OnIntent {
            void intended(CallIntent intent) throws LedgerException;
        }

        private final OnIntent onIntent;

        Recording(OnIntent onIntent) {
            this.onIntent = onIntent;
        }

        @Override
        public void intend(CallIntent intent) throws LedgerException {
            onIntent.intended(intent);
        }

        @Override
        public void settle(CallSettlement settlement) throws LedgerException {}
    }

    @Test
    @Tag("CAL-1")
    void recordsIntentAndOutcomeOfACall() {
        var record = dir.resolve("record");
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving().record(record)))) {
            kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(kit.ledger.entries()).hasSize(2);
            assertThat(kit.ledger.entries().get(0)).isInstanceOfSatisfying(Entry.Intended.class, intended -> {
                assertThat(intended.intent().call().tool()).isEqualTo("echo");
                assertThat(intended.intent().argumentBytes()).isEqualTo("{\"text\":\"x\"}".length());
            });
            assertThat(kit.ledger.entries().get(1)).isInstanceOfSatisfying(Entry.Settled.class, settled -> {
                assertThat(settled.word()).isEqualTo("succeeded");
                assertThat(settled.code()).isNull();
            });
        }
    }

    @Test
    @Tag("CAL-2")
    @Tag("CAT-2")
    void refusesAToolThatIsNotAllowedWithoutStartingTheServer() throws Exception {
        var record = dir.resolve("record");
        try (var kit =
                HostKit.of(dir, Server.of("s", Script.behaving().record(record)).tools("add"))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(report.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.problem().code()).isEqualTo(ErrorCode.POLICY_NOT_ALLOWED));
            assertThat(Files.exists(record)).isFalse();
        }
    }

    @Test
    @Tag("CAT-2")
    void refusesAConfiguredToolThatTheServerDoesNotList() throws Exception {
        var record = dir.resolve("record");
        try (var kit =
                HostKit.of(dir, Server.of("s", Script.behaving().record(record)).tools("echo", "ghost"))) {
            var report = kit.call("s", "ghost", "{}");

            assertThat(report.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.problem().code()).isEqualTo(ErrorCode.TOOL_MISSING));
            assertThat(Json.received(record, "tools/call")).isEmpty();
            assertThat(kit.host.status().servers().getFirst().diagnostics())
                    .anySatisfy(problem -> assertThat(problem.message()).contains("ghost"));
        }
    }

    @Test
    @Tag("MOD-3")
    @Tag("CAL-2")
    void refusesArgumentsThatBreakTheSchemaWithThePathOfEachViolation() throws Exception {
        var record = dir.resolve("record");
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving().record(record)))) {
            var report = kit.call("s", "add", "{\"a\":\"one\",\"b\":true}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                assertThat(refused.problem().code()).isEqualTo(ErrorCode.ARGUMENTS_INVALID);
                assertThat(refused.problem().message())
                        .contains("\"/a\"", "\"/b\"")
                        .doesNotContain("one");
            });
            assertThat(Json.received(record, "tools/call")).isEmpty();
        }
    }

    @Test
    @Tag("MOD-3")
    @Tag("WIR-3")
    void sendsArgumentsExactlyAsGiven() throws Exception {
        var record = dir.resolve("record");
        var definition =
                "{\"name\":\"any\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"default\":3}}}}";
        try (var kit = HostKit.of(
                dir,
                Server.of("s", Script.behaving().definition(definition).record(record))
                        .tools("any"))) {
            kit.call("s", "any", "{\"extra\":[null,1.10,12345678901234567890]}");

            assertThat(Json.received(record, "tools/call"))
                    .singleElement()
                    .satisfies(sent -> assertThat(sent.at("/params/arguments"))
                            .isEqualTo(Json.parse("{\"extra\":[null,1.10,12345678901234567890]}")));
            assertThat(Files.readString(record)).contains("1.10,12345678901234567890");
        }
    }

    @Test
    @Tag("MOD-3")
    @Tag("LIM-1")
    @Tag("LIM-2")
    void refusesArgumentsOverTheLimitAndNamesValueLimitAndKey() {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving()).limit(Limit.ARGUMENT_BYTES, 20))) {
            assertThat(text(kit.call("s", "echo", "{\"text\":\"123456789\"}"))).isEqualTo("123456789");

            var over = kit.call("s", "echo", "{\"text\":\"1234567890\"}");

            assertThat(over.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.problem().message())
                                    .contains("21", "20", "limits.argumentBytes"));
        }
    }

    @Test
    @Tag("CAL-2")
    void reportsAnErrorOfTheToolAsFailedWithItsWords() {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving()))) {
            var report = kit.call("s", "fail", "{\"text\":\"no such file\"}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_ERROR);
                assertThat(failed.result().content().toString()).contains("no such file");
            });
        }
    }

    @Test
    @Tag("CAL-2")
    void reportsAJsonRpcErrorAsFailed() {
        var script = Script.behaving().on("call:echo", "error -32000 quota used up");
        try (var kit = HostKit.of(dir, Server.of("s", script))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_RPC_ERROR);
                assertThat(failed.problem().message()).contains("-32000", "quota used up");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "result {\"other\":1}",
                "result {\"content\":{}}",
                "result {\"content\":[],\"resultType\":\"task\"}",
                "result {\"content\":[],\"isError\":\"yes\"}",
                "result 17"
            })
    @Tag("CAL-2")
    void reportsAMalformedResultAsUnknown(String step) {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving().on("call:echo", step)))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(unknown(report).problem().code()).isEqualTo(ErrorCode.UNKNOWN_MALFORMED);
            assertThat(unknown(report).problem().message()).contains("may have done it");
        }
    }

    @Test
    @Tag("CAL-2")
    void neverAnswersARequestForInputAndSaysThatTheToolMayHaveActed() throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving()
                .era("modern")
                .record(record)
                .on("call:echo", "result {\"resultType\":\"input_required\",\"requestState\":\"s\"}");
        try (var kit = HostKit.of(dir, Server.of("s", script))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_INPUT_REQUIRED);
                assertThat(failed.problem().next()).contains("may have acted");
            });
            assertThat(Json.received(record, "tools/call")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 0", "exit 1", "signal SEGV", "signal KILL", "signal PIPE"})
    @Tag("CAL-2")
    @Tag("CAL-3")
    @Tag("P11")
    void reportsTheEndOfTheServerDuringACallAsUnknownAndNeverRepeatsIt(String step) throws Exception {
        var record = dir.resolve("record");
        try (var kit =
                HostKit.of(dir, Server.of("s", Script.behaving().record(record).on("call:echo", step)))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(unknown(report).problem().code()).isEqualTo(ErrorCode.UNKNOWN_ENDED);
            var again = kit.call("s", "echo", "{\"text\":\"x\"}");
            assertThat(again.outcome()).isInstanceOf(Outcome.NotSent.class);
            assertThat(Json.received(record, "tools/call")).hasSize(1);
        }
    }

    @Test
    @Tag("WIR-6")
    @Tag("WIR-7")
    @Tag("CAL-3")
    void settlesACallAtItsDeadlineAndTellsTheServerOnce() throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving().record(record).on("call:echo", "nothing");
        try (var kit = HostKit.of(dir, Server.of("s", script).timeout(Timeout.CALL, Duration.ofMillis(300)))) {
            var report = kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(unknown(report).problem().code()).isEqualTo(ErrorCode.UNKNOWN_DEADLINE);
            assertThat(unknown(report).problem().message()).contains("300ms", "timeouts.call");
            assertThat(unknown(report).problem().next()).contains("raise timeouts.call");
            await().untilAsserted(() ->
                    assertThat(Json.received(record, "notifications/cancelled")).hasSize(1));
            assertThat(Json.received(record, "tools/call")).hasSize(1);
            assertThat(text(kit.call("s", "add", "{\"a\":1,\"b\":2}"))).isEqualTo("3");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag("P19")
    @Tag("WIR-6")
    @Tag("CAL-3")
    void dropsTheLateAnswerOfAServerThatWasFrozenOverTheDeadline() throws Exception {
        var record = dir.resolve("record");
        var server = Server.of("s", Script.behaving().record(record)).timeout(Timeout.CALL, Duration.ofSeconds(2));
        try (var kit = HostKit.of(dir, server)) {
            kit.host.tools("s", new Cancellation());
            long pid = Objects.requireNonNull(
                    kit.host.status().servers().getFirst().pid());
            signal("STOP", pid);

            var report = kit.call("s", "echo", "{\"text\":\"late\"}");
            signal("CONT", pid);

            assertThat(unknown(report).problem().code()).isEqualTo(ErrorCode.UNKNOWN_DEADLINE);
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            Json.received(record, "notifications/cancelled").size() == 1);
            assertThat(text(kit.call("s", "echo", "{\"text\":\"next\"}"))).isEqualTo("next");
            assertThat(Json.received(record, "tools/call")).hasSize(2);
            assertThat(kit.ledger.entries().stream().filter(Entry.Settled.class::isInstance))
                    .hasSize(2);
        }
    }

    /// A frozen process reads no end of its input and handles no signal but the last.
    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag("P19")
    @Tag("PRC-3")
    void endsAServerThatIsFrozen() throws Exception {
        var kit = HostKit.of(dir, Server.of("s", Script.behaving()));
        kit.host.tools("s", new Cancellation());
        signal(
                "STOP",
                Objects.requireNonNull(kit.host.status().servers().getFirst().pid()));

        assertThat(kit.host.stop()).isEmpty();
    }

    private static void signal(String name, long pid) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO();
        assertThat(kill.start().waitFor()).isZero();
    }

    /// The clock of the host runs a day ahead or back between the questions put to it.
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    @Tag("P21")
    @Tag("WIR-6")
    void keepsItsDeadlinesWhateverTheClockDoes(long days) {
        var asked = new AtomicInteger();
        InstantSource jumping = () -> Instant.now().plus(Duration.ofDays(days * asked.getAndIncrement()));
        var script = Script.behaving().on("call:echo", "nothing");
        var server = Server.of("s", script).timeout(Timeout.CALL, Duration.ofMillis(700));
        try (var kit = HostKit.at(jumping, dir, server)) {
            assertThat(text(kit.call("s", "add", "{\"a\":1,\"b\":2}"))).isEqualTo("3");

            var late = unknown(kit.call("s", "echo", "{\"text\":\"x\"}"));

            assertThat(late.problem().code()).isEqualTo(ErrorCode.UNKNOWN_DEADLINE);
            assertThat(text(kit.call("s", "add", "{\"a\":2,\"b\":2}"))).isEqualTo("4");
        }
        assertThat(asked).hasValueGreaterThan(3);
    }

    @Test
    @Tag("WIR-7")
    @Tag("CAL-5")
    void settlesACancelledCallAtOnceAndLeavesTheOthersAlone() throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving().record(record).on("call:echo", "nothing");
        try (var kit = HostKit.of(dir, Server.of("s", script).parallel())) {
            var cancellation = new Cancellation();
            var cancelled = new CompletableFuture<CallReport>();
            Threads.virtual(
                    "caller", () -> cancelled.complete(kit.call("s", "echo", "{\"text\":\"x\"}", cancellation)));
            await().until(() -> Json.received(record, "tools/call").size() == 1);

            var other = kit.call("s", "add", "{\"a\":2,\"b\":2}");
            cancellation.request();

            assertThat(unknown(cancelled.join()).problem().code()).isEqualTo(ErrorCode.UNKNOWN_CANCELLED);
            assertThat(text(other)).isEqualTo("4");
            assertThat(text(kit.call("s", "add", "{\"a\":3,\"b\":2}"))).isEqualTo("5");
            await().untilAsserted(() ->
                    assertThat(Json.received(record, "notifications/cancelled")).hasSize(1));
        }
    }

    @Test
    @Tag("CAL-5")
    @Tag("SRV-1")
    void keepsSeveralCallsInFlightOnAParallelServer() {
        try (var kit = HostKit.of(
                dir,
                Server.of("s", Script.behaving().on("call:echo", "nothing")).parallel())) {
            kit.host.tools("s", new Cancellation());
            var cancellation = new Cancellation();
            var pending = new ArrayList<CompletableFuture<CallReport>>();
            for (int i = 0; i < 20; i++) {
                var report = new CompletableFuture<CallReport>();
                pending.add(report);
                Threads.virtual(
                        "caller", () -> report.complete(kit.call("s", "echo", "{\"text\":\"x\"}", cancellation)));
            }
            await().until(() -> kit.ledger.entries().size() == 20);

            cancellation.request();

            assertThat(pending)
                    .allSatisfy(report -> assertThat(report.join().outcome()).isInstanceOf(Outcome.Unknown.class));
        }
    }

    @Test
    @Tag("CAL-2")
    @Tag("WIR-2")
    void reportsAnOversizeAnswerAsUnknown() {
        var server = Server.of("s", Script.behaving().tool("big")).tools("big").limit(Limit.FRAME_BYTES, 10_000);
        try (var kit = HostKit.of(dir, server)) {
            var report = kit.call("s", "big", "{\"bytes\":20000}");

            assertThat(unknown(report).problem().message()).contains("10000", "limits.frameBytes");
        }
    }

    @Test
    @Tag("CAL-6")
    void failsAResultThatBreaksItsOwnOutputSchemaAndSaysThatTheToolRan() {
        var definition = "{\"name\":\"typed\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":"
                + "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},\"required\":[\"id\"]}}";
        for (var structured : List.of("", ",\"structuredContent\":{\"id\":\"seven\"}")) {
            var script = Script.behaving()
                    .definition(definition)
                    .on("call:typed", "result {\"content\":[{\"type\":\"text\",\"text\":\"t\"}]" + structured + "}");
            try (var kit = HostKit.of(dir, Server.of("s", script).tools("typed"))) {
                var report = kit.call("s", "typed", "{}");

                assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                    assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_INVALID);
                    assertThat(failed.problem().message()).contains("ran");
                });
            }
        }
    }

    @Test
    @Tag("CAL-6")
    void doesNotCheckTheOutputSchemaOfAnError() {
        var definition = "{\"name\":\"typed\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":"
                + "{\"type\":\"object\",\"required\":[\"id\"]}}";
        var script =
                Script.behaving().definition(definition).on("call:typed", "result {\"content\":[],\"isError\":true}");
        try (var kit = HostKit.of(dir, Server.of("s", script).tools("typed"))) {
            assertThat(kit.call("s", "typed", "{}").outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_ERROR));
        }
    }

    @Test
    @Tag("RES-1")
    @Tag("RES-2")
    void shortensAResultOverTheLimit() {
        var server = Server.of("s", Script.behaving().tool("big")).tools("big").limit(Limit.RESULT_BYTES, 2_000);
        try (var kit = HostKit.of(dir, server)) {
            var report = kit.call("s", "big", "{\"bytes\":5000}");

            assertThat(report.outcome()).isInstanceOfSatisfying(Outcome.Succeeded.class, succeeded -> {
                assertThat(succeeded.result().truncated()).isTrue();
                assertThat(succeeded.result().content().toString().length()).isBetween(1_500, 2_000);
            });
        }
    }
}
