package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeout;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.secret.SecretRef;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that can't be started: each its own clear message, within its deadline, and nothing left running.
@ExtendWith(LeavesNothingBehind.class)
class StartIT {
    @TempDir
    private Path dir;

    private static Problem failure(HostKit kit) {
        var answer = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> kit.host.tools("s", new Cancellation()));
        assertThat(answer).isInstanceOf(Answer.Not.class);
        return ((Answer.Not<?>) answer).problem();
    }

    static Stream<Arguments> unfit() {
        return Stream.of(
                Arguments.of(
                        "exits at once", Script.behaving().atStart("exit 3"), ErrorCode.START_EXITED, "exit code 3"),
                Arguments.of(
                        "dies by a signal",
                        Script.behaving().atStart("signal SEGV"),
                        ErrorCode.START_EXITED,
                        "SIGSEGV"),
                Arguments.of("prints garbage", Script.silent().atStart("noise 70 hello"), ErrorCode.WIRE_NOISE, "64"),
                Arguments.of("stays silent", Script.silent(), ErrorCode.START_DEADLINE, "timeouts.startup"),
                Arguments.of(
                        "answers with the wrong version",
                        Script.behaving().era("legacy").version("1999-01-01"),
                        ErrorCode.START_VERSION,
                        "1999-01-01"),
                Arguments.of(
                        "never ends a line",
                        Script.silent().atStart("endless 300000"),
                        ErrorCode.WIRE_FRAME_TOO_LARGE,
                        "limits.frameBytes"),
                Arguments.of(
                        "drips bytes",
                        Script.silent().atStart("drip 100 {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
                        ErrorCode.START_DEADLINE,
                        "timeouts.startup"),
                Arguments.of(
                        "floods standard error and ends",
                        Script.silent().atStart("stderr 1000000").atStart("exit 9"),
                        ErrorCode.START_EXITED,
                        "exit code 9"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unfit")
    @Tag("PRC-5")
    @Tag("PRC-6")
    @Tag("WIR-6")
    @Tag("F2")
    @Tag("F7")
    void saysWhatIsWrongWithAServerThat(String what, Script script, ErrorCode code, String told) {
        try (var kit = HostKit.of(dir, Server.of("s", script).timeout(Timeout.STARTUP, Duration.ofSeconds(3)))) {
            var problem = failure(kit);

            assertThat(problem.code()).as(problem.message()).isEqualTo(code);
            assertThat(problem.message() + problem.next()).contains("\"s\"", told);
            assertThat(problem.next()).isNotBlank();
        }
    }

    @Test
    @Tag("SRV-2")
    void namesTheDirectoriesSearchedForABareCommand() {
        try (var kit = HostKit.of(dir, Server.of("s", "no-such-command-anywhere"))) {
            var problem = failure(kit);

            assertThat(problem.code()).isEqualTo(ErrorCode.START_COMMAND_NOT_FOUND);
            assertThat(problem.message()).contains("no-such-command-anywhere", "/usr/bin");
        }
    }

    @Test
    @Tag("PRC-5")
    @Tag("P18")
    void keepsAFailedServerFailedAndDoesNotStartItAgain() throws Exception {
        var record = dir.resolve("record");
        try (var kit = HostKit.of(
                dir,
                Server.of("s", Script.behaving().era("legacy").record(record).on("initialize", "exit 1")))) {
            var first = failure(kit);
            var starts = Json.received(record, "initialize").size();
            var second = failure(kit);

            assertThat(second).isEqualTo(first);
            assertThat(Json.received(record, "initialize")).hasSize(starts);
            assertThat(kit.host.status().servers().getFirst().state()).isEqualTo("failed");
            assertThat(kit.host.status().servers().getFirst().diagnostics()).containsExactly(first);
        }
    }

    @Test
    @Tag("PRC-5")
    @Tag("SEC-3")
    void aServerThatCannotStartLeavesTheOthersAlone() {
        try (var kit = HostKit.of(
                dir,
                Server.of("broken", Script.behaving().atStart("exit 1")),
                Server.of("secretless", Script.behaving()).variable("KEY", new SecretRef.Env("POSTERN_TEST_UNSET")),
                Server.of("s", Script.behaving()))) {
            assertThat(kit.call("broken", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.NotSent.class);
            assertThat(kit.call("secretless", "echo", "{\"text\":\"x\"}").outcome())
                    .isInstanceOfSatisfying(
                            Outcome.NotSent.class,
                            notSent -> assertThat(notSent.problem().message()).contains("POSTERN_TEST_UNSET"));
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
            assertThat(kit.host.status().servers())
                    .extracting(Host.ServerStatus::state)
                    .containsExactly("failed", "unavailable", "ready");
        }
    }

    @Test
    @Tag("PRC-5")
    @Tag("P18")
    void sevenServersThatCrashTogetherHoldUpNoOther() {
        var servers = new ArrayList<Server>();
        for (int number = 0; number < 7; number++) {
            servers.add(Server.of("b" + number, Script.behaving().on("call:echo", "exit 1")));
        }
        servers.add(Server.of("good", Script.behaving()));
        try (var kit = HostKit.of(dir, servers.toArray(Server[]::new));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var crashes = new ArrayList<Future<Outcome>>();
            for (var server : servers.subList(0, 7)) {
                crashes.add(callers.submit(
                        () -> kit.call(server.id(), "echo", "{\"text\":\"x\"}").outcome()));
            }
            var good = kit.call("good", "echo", "{\"text\":\"x\"}").outcome();

            assertThat(good).isInstanceOf(Outcome.Succeeded.class);
            assertThat(crashes).allSatisfy(crash -> assertThat(crash.get()).isInstanceOf(Outcome.Unknown.class));
            assertThat(kit.host.status().servers())
                    .extracting(Host.ServerStatus::state)
                    .containsOnlyOnce("ready")
                    .filteredOn(state -> state.equals("failed"))
                    .hasSize(7);
        }
    }

    @Test
    @Tag("WIR-1")
    @Tag("F7")
    void startsOneFreshProcessInTheHandshakeEraWhenTheServerEndsAtTheProbe() throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving().era("legacy").record(record).on("server/discover", "exit 1");
        try (var kit = HostKit.of(dir, Server.of("s", script))) {
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
            assertThat(Json.received(record, "server/discover")).hasSize(1);
            assertThat(Json.received(record, "initialize")).hasSize(1);
        }
    }

    @Test
    @Tag("WIR-1")
    void triesTheEraFoundLastTimeFirst() throws Exception {
        var record = dir.resolve("record");
        var server = Server.of("s", Script.behaving().era("legacy").record(record));
        for (int i = 0; i < 2; i++) {
            try (var kit = HostKit.of(dir, server)) {
                kit.host.tools("s", new Cancellation());
            }
        }

        assertThat(Json.received(record, "server/discover")).hasSize(1);
        assertThat(Json.received(record, "initialize")).hasSize(2);
    }

    @Test
    @Tag("SRV-1")
    void obeysAProtocolPin() throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving().era("legacy").record(record);
        try (var kit = HostKit.of(dir, Server.of("s", script).protocol(ProtocolPin.LEGACY))) {
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
            assertThat(Json.received(record, "server/discover")).isEmpty();
        }
        try (var kit = HostKit.of(dir, Server.of("s", script).protocol(ProtocolPin.MODERN))) {
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Not.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"roots/list", "sampling/createMessage", "elicitation/create"})
    @Tag("WIR-5")
    @Tag("F6")
    void declaresNothingAndRefusesWhatAHandshakeServerAsks(String method) throws Exception {
        var record = dir.resolve("record");
        var script = Script.behaving()
                .era("legacy")
                .record(record)
                .on("tools/list", "ask " + method)
                .on("tools/list", "answer");
        try (var kit = HostKit.of(dir, Server.of("s", script))) {
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);

            assertThat(Json.received(record, "initialize").getFirst().at("/params/capabilities"))
                    .isEqualTo(Json.parse("{}"));
            assertThat(Files.readString(record)).contains("-32601");
        }
    }

    @Test
    @Tag("WIR-8")
    @Tag("CAT-4")
    @Tag("F6")
    void aFloodOfNotificationsChangesNothing() throws Exception {
        var record = dir.resolve("record");
        var changed = "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"}}]}";
        var script = Script.behaving()
                .record(record)
                .on("tools/list#2", "result " + changed)
                .on("call:echo", "notify 20000 notifications/tools/list_changed")
                .on("call:echo", "answer");
        try (var kit = HostKit.of(dir, Server.of("s", script))) {
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
            var status = kit.host.status().servers().getFirst();
            assertThat(status.tools()).containsExactly("echo", "add", "fail", "slow");

            // The server does as it is told in order: had the list been asked for, that came before this call.
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
            assertThat(kit.host.status().servers().getFirst().tools()).isEqualTo(status.tools());
        }
        assertThat(Json.received(record, "tools/list")).hasSize(1);
    }

    @Test
    @Tag("CLI-1")
    void remembersTheLastDiscoveryOfAServerThatIsNotRunning() {
        var server = Server.of("s", Script.behaving());
        try (var kit = HostKit.of(dir, server)) {
            assertThat(kit.host.status().servers().getFirst().tools()).isNull();
            kit.host.tools("s", new Cancellation());
        }
        try (var kit = HostKit.of(dir, server)) {
            var status = kit.host.status().servers().getFirst();

            assertThat(status.state()).isEqualTo("stopped");
            assertThat(status.pid()).isNull();
            assertThat(status.tools()).containsExactly("echo", "add", "fail", "slow");
            assertThat(status.discoveredAt()).isNotNull();
        }
        try (var kit = HostKit.of(dir, server.tools("echo"))) {
            assertThat(kit.host.status().servers().getFirst().tools()).isNull();
        }
    }

    @Test
    @Tag("PRC-2")
    void sharesOneProcessBetweenEverybodyAndStartsItOnlyWhenNeeded() throws Exception {
        var record = dir.resolve("record");
        var server =
                Server.of("s", Script.behaving().era("legacy").record(record)).protocol(ProtocolPin.LEGACY);
        try (var kit = HostKit.of(dir, server)) {
            kit.host.status();
            assertThat(Files.exists(record)).isFalse();

            Stream.of(1, 2, 3, 4).parallel().forEach(i -> kit.host.tools("s", new Cancellation()));
            kit.call("s", "echo", "{\"text\":\"x\"}");

            assertThat(Json.received(record, "initialize")).hasSize(1);
            var status = kit.host.status().servers().getFirst();
            assertThat(status.state()).isEqualTo("ready");
            assertThat(status.protocol()).isEqualTo("2025-11-25");
            assertThat(ProcessHandle.of(Objects.requireNonNull(status.pid()))).isPresent();
        }
    }

    @Test
    @Tag("SEC-4")
    void givesAServerNothingButTheBaseAndTheNamedVariables() {
        var server = Server.of("s", Script.behaving().tool("env"))
                .tools("env")
                .variable("GIVEN", new SecretRef.Literal("yes"));
        try (var kit = HostKit.of(dir, Map.of("CANARY", "sing", "TERM", "dumb"), server)) {
            var outcome = (Outcome.Succeeded) kit.call("s", "env", "{}").outcome();
            var names = new TreeSet<String>();
            Json.present(outcome.result().structuredContent()).fieldNames().forEachRemaining(names::add);

            assertThat(names).contains("HOME", "PATH", "TERM", "GIVEN", "POSTERN_INSTANCE");
            names.removeAll(List.of("HOME", "PATH", "TERM", "GIVEN", "POSTERN_INSTANCE", "PWD", "OLDPWD"));
            assertThat(names).isEmpty();
        }
    }

    @Test
    @Tag("SEC-3")
    void showsThatAMissingSecretMakesAServerUnavailableBeforeAnybodyTriesIt() {
        var server = Server.of("s", Script.behaving()).variable("KEY", new SecretRef.Credential("nowhere"));
        try (var kit = HostKit.of(dir, server)) {
            var status = kit.host.status().servers().getFirst();

            assertThat(status.state()).isEqualTo("unavailable");
            assertThat(status.diagnostics())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.message()).contains("nowhere"));
        }
    }

    @Test
    @Tag("WIR-2")
    @Tag("CAL-2")
    void saysThatABrokenAnswerCameWhereNoneDid() {
        var script = Script.behaving()
                .on("call:echo", "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[],\"content\":[]}}");
        try (var kit = HostKit.of(dir, Server.of("s", script).timeout(Timeout.CALL, Duration.ofMillis(500)))) {
            var outcome = kit.call("s", "echo", "{\"text\":\"x\"}").outcome();

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Unknown.class,
                            unknown ->
                                    assertThat(unknown.problem().message()).contains("1 line that is no valid answer"));
        }
    }

    @Test
    @Tag("SRV-2")
    void startsNoShellForAScriptWithoutAnInterpreter() throws Exception {
        var ran = dir.resolve("ran");
        var script = Files.writeString(dir.resolve("script"), "echo > " + ran + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        try (var kit = HostKit.of(dir, Server.of("s", script.toString()))) {
            assertThat(failure(kit).message()).contains("neither a program nor a script with an interpreter");
            assertThat(ran).doesNotExist();
        }
    }

    /// FAULTS 17: as much as 10 MiB a second for a minute, as fast as the pipe takes it.
    @Test
    @Tag("P17")
    @Tag("PRC-1")
    @Tag("LIM-3")
    void keepsOnlyATailOfWhatFloodsStandardErrorDuringACall() {
        var script = Script.behaving().on("call:echo", "stderr 629145600").on("call:echo", "answer");
        var server = Server.of("s", script).timeout(Timeout.CALL, Duration.ofMinutes(5));
        try (var kit = HostKit.of(dir, server)) {
            kit.host.tools("s", new Cancellation());
            long before = usedHeap();

            var outcome = kit.call("s", "echo", "{\"text\":\"x\"}").outcome();

            assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
            assertThat(kit.host.stderrTail("s"))
                    .matches("(?s)\\[6\\d{8} bytes before this were dropped\\].*")
                    .hasSizeLessThan(70_000);
            assertThat(usedHeap() - before).isLessThan(32L << 20);
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
