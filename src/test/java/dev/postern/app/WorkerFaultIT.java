package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.app.ScriptRun.Started;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Workers that are killed, clients that vanish, peers that misbehave.
@ExtendWith(LeavesNothingBehind.class)
class WorkerFaultIT {
    @TempDir
    private Path dir;

    private Path record;
    private WorkerKit kit;

    @BeforeEach
    void makesTheDirectoryOurs() throws IOException {
        record = dir.resolve("record");
        kit = new WorkerKit(dir.resolve("data"));
    }

    @AfterEach
    void endsWhatIsLeft() {
        kit.close();
    }

    private Script waiting() {
        return Script.behaving().era("legacy").record(record).on("call:echo", "nothing");
    }

    private Started callInFlight() {
        var client = kit.client("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");
        return client;
    }

    @Test
    @Tag("W22")
    @Tag("WRK-1")
    void ofSeveralWorkersForOneDirectoryOneServesAndTheOthersEndWith8() throws IOException {
        kit.configure(Script.behaving());
        for (int round = 0; round < 3; round++) {
            var racers = new ArrayList<Started>();
            for (int i = 0; i < 3; i++) {
                racers.add(kit.worker().start());
            }
            await().atMost(WorkerKit.PATIENCE)
                    .until(() -> racers.stream()
                                    .filter(each -> !each.process().isAlive())
                                    .count()
                            == 2);
            var owner = racers.stream()
                    .filter(each -> each.process().isAlive())
                    .findFirst()
                    .orElseThrow();
            await().atMost(WorkerKit.PATIENCE).until(() -> owner.err().contains("takes commands"));
            assertThat(Files.readAllLines(kit.run().resolve("worker.pid")).getFirst())
                    .isEqualTo("" + owner.process().pid());
            for (var loser : racers) {
                if (loser.process().pid() != owner.process().pid()) {
                    var ended = loser.end();
                    assertThat(ended.exit()).as("%s", ended).isEqualTo(8);
                    assertThat(ended.err()).contains("is running");
                }
            }
            // The next round's workers find what a killed one leaves.
            owner.process().destroyForcibly();
            assertThat(owner.end().exit()).isEqualTo(137);
            assertThat(kit.socket()).exists();
        }
    }

    @Test
    @Tag("W22")
    void aLiveLockIsNeverTakenAndAKilledOwnersIsTakenOver() throws IOException {
        kit.configure(Script.behaving());
        var first = kit.start();

        var second = kit.worker().run();
        assertThat(second.exit()).isEqualTo(8);
        assertThat(second.err()).contains("process " + first.process().pid(), " worker status`");
        assertThat(kit.status()).isEqualTo("worker");

        first.process().destroyForcibly();
        assertThat(first.end().exit()).isEqualTo(137);
        assertThat(kit.status()).isEqualTo("local");

        kit.start();
        assertThat(kit.status()).isEqualTo("worker");
    }

    @Test
    @Tag("W24")
    @Tag("PRC-4")
    void aWorkerThatDiesMidCommandEndsItsClientWith8AtOnceAndLeavesNoServer() throws Exception {
        kit.configure(waiting(), true, "{\"timeouts\":{\"call\":\"1h\"}}");
        var worker = kit.start();
        var client = callInFlight();
        var started = worker.process().descendants().map(ProcessHandle::pid).toList();
        assertThat(living(started)).isNotEmpty();

        worker.process().destroyForcibly();

        await().atMost(Duration.ofSeconds(2)).until(() -> living(started).isEmpty());
        var ended = client.end();
        assertThat(ended.exit()).isEqualTo(8);
        assertThat(ended.err())
                .contains("The worker ended in the middle", "check first", " runs list`", " worker start`");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    @Tag("CAL-4")
    void theClientsOfADeadWorkerAreToldWhereToLookAndWhatWasOnlyQueuedIsNotThere() throws Exception {
        kit.configure(waiting(), true, "{\"timeouts\":{\"call\":\"1h\"}}");
        var worker = kit.start();
        var sent = callInFlight();
        var queued = kit.client("call", "--data-dir", kit.data.toString(), "s", "echo", "text=queued")
                .start();
        await().atMost(WorkerKit.PATIENCE)
                .until(() -> WorkerKit.json(kit.local("--json", "worker", "status")
                                        .run()
                                        .out())
                                .path("commands")
                                .asInt()
                        == 2);

        worker.process().destroyForcibly();

        assertThat(sent.end().err()).contains("If it is not listed, nothing was sent");
        var ended = queued.end();
        assertThat(ended.exit()).isEqualTo(8);
        assertThat(ended.err())
                .contains(
                        "`postern --data-dir " + kit.data + " runs list`", "--data-dir " + kit.data + " worker start");
        var listed = WorkerKit.json(kit.local("--json", "runs", "list").run().out());
        assertThat(listed.path("items")).hasSize(1);
        assertThat(listed.at("/items/0/firstCall/outcome").asText()).isEqualTo("unknown");
        assertThat(Files.readString(record)).doesNotContain("queued");
    }

    @Test
    @Tag("CAL-4")
    @Tag("WRK-2")
    void whatALocalCallLeftOpenIsSettledByAWorkerThatHasTheRecordsOpenForLong() throws Exception {
        kit.configure(waiting(), true, "{}");
        var worker = kit.start();
        assertThat(kit.client("call", "s", "add", "a=1", "b=2").run().exit()).isZero();
        var local = kit.local("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call\",\"params\":{\"name\":\"echo");
        assertThat(outcomes()).containsExactly("null", "\"succeeded\"");

        local.process().destroyForcibly();
        assertThat(local.end().exit()).isEqualTo(137);

        assertThat(outcomes()).containsExactly("\"unknown\"", "\"succeeded\"");
        assertThat(threads(worker.process().pid()).lines().filter(each -> each.startsWith("postern-store")))
                .hasSize(1);
    }

    private List<String> outcomes() {
        var outcomes = new ArrayList<String>();
        var listed = kit.client("--json", "runs", "list").run();
        for (var run : WorkerKit.json(listed.out()).path("items")) {
            outcomes.add(run.at("/firstCall/outcome").toString());
        }
        return outcomes;
    }

    private static List<String> living(List<Long> servers) {
        return LeavesNothingBehind.instances("").stream()
                .filter(each -> servers.contains(Long.parseLong(each.split(" ", 2)[0])))
                .toList();
    }

    @Test
    @Tag("W24")
    @Tag("CLI-8")
    void withJsonTheClientOfADeadWorkerStillWritesOneObject() throws Exception {
        kit.configure(waiting(), true, "{\"timeouts\":{\"call\":\"1h\"}}");
        var worker = kit.start();
        var client = kit.client("--json", "call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");

        worker.process().destroyForcibly();
        var ended = client.end();

        assertThat(ended.exit()).isEqualTo(8);
        assertThat(WorkerKit.json(ended.out()).at("/error/code").asText()).isEqualTo("worker.ended");
    }

    @Test
    @Tag("W24")
    void aWorkerThatDoesNotAnswerEndsItsClientWith8() throws Exception {
        kit.configure(Script.behaving());
        var worker = kit.start();
        kit.signal(worker.process(), "STOP");

        var ended = kit.client("mcp", "status").run();

        kit.signal(worker.process(), "CONT");
        assertThat(ended.exit()).isEqualTo(8);
        assertThat(ended.err()).contains("The worker does not answer", "worker logs");
    }

    @Test
    @Tag("W24")
    @Tag("WRK-3")
    void everyCommandSucceedsWhileAWorkerStartsAndEnds() throws Exception {
        kit.configure(Script.behaving());
        var worker = kit.worker().start();
        try {
            await().atMost(WorkerKit.PATIENCE).until(() -> kit.status().equals("worker"));

            kit.signal(worker.process(), "TERM");
            await().atMost(WorkerKit.PATIENCE).until(() -> kit.status().equals("local"));
        } finally {
            worker.process().destroy();
        }
        assertThat(worker.end().exit()).isZero();
    }

    @Test
    @Tag("W26")
    @Tag("WRK-4")
    void sigtermLetsACallInFlightComeToItsEnd() throws Exception {
        kit.configure(
                Script.behaving().record(record).on("call:echo", "sleep 1500").on("call:echo", "answer"));
        var worker = kit.start();
        var client = callInFlight();

        kit.signal(worker.process(), "TERM");

        var answered = client.end();
        assertThat(answered.exit()).as("%s", answered).isZero();
        assertThat(answered.out()).isEqualTo("hi\n");
        assertThat(worker.end().exit()).isZero();
        assertThat(kit.socket()).doesNotExist();
        assertThat(kit.run().resolve("worker.pid")).doesNotExist();
    }

    @Test
    @Tag("W26")
    @Tag("WRK-4")
    void aSecondSigtermEndsTheWorkerAtOnceAndItsCallsAreCancelled() throws Exception {
        kit.configure(waiting(), true, "{\"timeouts\":{\"call\":\"1h\"}}");
        var worker = kit.start();
        var client = callInFlight();

        kit.signal(worker.process(), "TERM");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.log().contains("told to end"));
        assertThat(client.process().isAlive()).isTrue();
        kit.signal(worker.process(), "TERM");

        var cancelled = client.end();
        assertThat(cancelled.exit()).as("%s", cancelled).isEqualTo(130);
        assertThat(worker.end().exit()).isZero();
    }

    @Test
    @Tag("CLI-5")
    @Tag("WIR-7")
    void ctrlCInTheClientCancelsItsCallAndNobodyElses() throws Exception {
        kit.configure(waiting(), true, "{\"parallel\":true}");
        kit.start();
        var client = callInFlight();

        kit.signal(client.process(), "INT");

        assertThat(client.end().exit()).isEqualTo(130);
        WorkerKit.awaitRecord(record, "notifications/cancelled");
        assertThat(kit.client("call", "s", "add", "a=1", "b=2").run().out()).isEqualTo("3\n");
    }

    @Test
    @Tag("CLI-5")
    void ctrlCWhileTheClientIsReadingEndsWith130AndNotAWord() throws Exception {
        kit.configure(Script.behaving());
        kit.start();
        var client = kit.java(
                        List.of("/bin/sh", "-c", "sleep 300 | \"$@\"", "sh"),
                        "ClientMain",
                        "call",
                        "s",
                        "echo",
                        "-i",
                        "-")
                .start();
        var reading = await().atMost(WorkerKit.PATIENCE)
                .until(
                        () -> client.process()
                                .descendants()
                                .filter(each -> threads(each.pid()).contains("client-input"))
                                .toList(),
                        found -> !found.isEmpty())
                .getFirst();

        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(reading.pid()))
                        .start()
                        .waitFor())
                .isZero();
        await().atMost(WorkerKit.PATIENCE).until(() -> !reading.isAlive());

        client.process().descendants().forEach(ProcessHandle::destroyForcibly);
        var ended = client.end();
        assertThat(ended.exit()).isEqualTo(130);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).doesNotContain("error");
    }

    @Test
    @Tag("CLI-5")
    void aSecondCtrlCOfAClientWaitsForNothing() throws Exception {
        kit.configure(waiting(), true, "{\"timeouts\":{\"call\":\"1h\"}}");
        var worker = kit.start();
        var client = callInFlight();
        kit.signal(worker.process(), "STOP");

        // One more until it is gone: the first must have been seen for the next to be a second.
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            if (client.process().isAlive()) {
                var _ = new ProcessBuilder(
                                "kill", "-INT", Long.toString(client.process().pid()))
                        .start()
                        .waitFor();
            }
            return !client.process().isAlive();
        });

        kit.signal(worker.process(), "CONT");
        assertThat(client.end().exit()).isEqualTo(130);
        WorkerKit.awaitRecord(record, "notifications/cancelled");
    }

    @Test
    @Timeout(25)
    @Tag("CLI-5")
    @Tag("PRC-3")
    void aSecondCtrlCOfALocalCallKillsItsServerAndLeavesAtOnce() throws Exception {
        kit.configure(waiting().ignoresEof().ignoresTerm(), false, "{\"timeouts\":{\"close\":\"30s\"}}");
        var call = kit.local("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");
        kit.signal(call.process(), "INT");
        WorkerKit.awaitRecord(record, "#eof");

        kit.signal(call.process(), "INT");

        assertThat(call.end().exit()).isEqualTo(130);
        assertThat(LeavesNothingBehind.instances("")).noneMatch(each -> each.contains(record.toString()));
    }

    private static String threads(long pid) {
        var names = new StringBuilder();
        var tasks = Path.of("/proc/" + pid + "/task").toFile().list();
        for (var task : tasks == null ? new String[0] : tasks) {
            try {
                names.append(Files.readString(Path.of("/proc/" + pid + "/task/" + task + "/comm")));
            } catch (IOException gone) {
                // It has ended meanwhile.
            }
        }
        return names.toString();
    }

    @Test
    @Tag("WRK-2")
    void aClientThatVanishesHasItsCallCancelled() throws Exception {
        kit.configure(waiting());
        kit.start();
        var client = callInFlight();

        client.process().destroyForcibly();

        assertThat(client.end().exit()).isEqualTo(137);
        WorkerKit.awaitRecord(record, "notifications/cancelled");
        assertThat(kit.status()).isEqualTo("worker");
    }

    @Test
    @Tag("WRK-2")
    void aClientThatNeverReadsHoldsUpNobodyElse() throws Exception {
        kit.configure(
                Script.behaving().tool("big"), true, "{\"limits\":{\"resultBytes\":1048576,\"frameBytes\":16777216}}");
        var worker = kit.start();
        try (var lazy = kit.peer()) {
            lazy.say(kit.request(1, null, "call", "s", "big", "bytes=1000000"));

            var other = kit.client("call", "s", "echo", "text=hi").run();
            assertThat(other.out()).isEqualTo("hi\n");

            kit.signal(worker.process(), "TERM");
            assertThat(worker.end().exit()).isZero();
        }
    }

    @Test
    @Tag("WRK-2")
    void whateverAPeerSaysTheWorkerGoesOn() throws Exception {
        kit.configure(Script.behaving());
        kit.start();
        var request = kit.request(1, null, "mcp", "status");
        for (var rubbish : List.of(
                "x".repeat(300_000),
                "rubbish\n".repeat(20),
                "[]\n".repeat(20),
                request.replace("\"columns\":0", "\"columns\":\"wide\""),
                request.replace("\"run\"", "\"invent\""),
                request.replace("\"id\":1,", ""),
                request.substring(0, 20),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
                "")) {
            try (var peer = kit.peer()) {
                peer.say(rubbish);

                // Hung up on, at the latest when it should have spoken.
                assertThat(peer.rest()).doesNotContain("exitCode");
            } catch (IOException brokenPipe) {
                // Hung up on while it still spoke.
            }
            assertThat(kit.status()).isEqualTo("worker");
        }
    }

    @Test
    @Tag("WRK-2")
    void hundredsOfConnectionsAreTurnedAwayAndLeaveNothing() throws Exception {
        kit.configure(Script.behaving());
        var worker = kit.start();
        var peers = new ArrayList<WorkerKit.Peer>();
        try {
            for (int i = 0; i < 300; i++) {
                peers.add(kit.peer());
            }
            var turnedAway = kit.client("mcp", "status").run();
            assertThat(turnedAway.exit()).isIn(0, 8);
        } finally {
            for (var peer : peers) {
                peer.close();
            }
        }
        await().atMost(WorkerKit.PATIENCE)
                .until(() -> kit.client("mcp", "status", "--json").run().exit() == 0);
        assertThat(kit.status()).isEqualTo("worker");
        try (var descriptors = Files.list(Path.of("/proc/" + worker.process().pid() + "/fd"))) {
            // Beside the jars of the class path, however many there are.
            assertThat(descriptors.filter(each -> !names(each).endsWith(".jar")).count())
                    .isLessThan(20);
        }
    }

    private static String names(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    @Tag("SEC-7")
    void aPeerThatDescendsFromAnInstanceIsRefused() throws Exception {
        kit.configure(Script.behaving());
        kit.start();

        var refused = kit.client("mcp", "status", "--json")
                .with("POSTERN_INSTANCE", "forged-or-not")
                .run();

        assertThat(WorkerKit.json(refused.out()).path("owner").asText()).isEqualTo("local");
        assertThat(kit.log()).contains("a client was refused: it descends from a server's process");
    }

    @Test
    @Tag("SEC-7")
    void aServerThatReachesForTheSocketGetsNoAnswer() throws Exception {
        var answer = dir.resolve("answer");
        var request = Files.writeString(dir.resolve("request"), kit.request(1, null, "mcp", "status"));
        var classes = Stranger.classes(dir.resolve("classes"));
        var script = Script.behaving();
        kit.configure(script);
        var config = (ObjectNode) WorkerKit.json(Files.readString(kit.data.resolve("config.json")));
        var server = (ObjectNode) config.at("/mcpServers/0");
        server.put("command", "/bin/sh");
        var args = server.putArray("args");
        args.add("-c")
                .add("\"$0\" -cp \"$1\" dev.postern.app.Stranger \"$2\" \"$3\" \"$4\"; shift 4; exec \"$@\"")
                .add(ScriptTree.RUNNING_JDK.resolve("bin/java").toString())
                .add(classes.toString())
                .add(kit.socket().toString())
                .add(request.toString())
                .add(answer.toString())
                .add(script.command());
        script.args().forEach(args::add);
        server.putObject("timeouts").put("startup", "60s");
        Files.writeString(kit.data.resolve("config.json"), config.toPrettyString());
        kit.start();

        assertThat(kit.client("mcp", "tools", "s").run().exit()).isZero();

        // In a sandbox that shows it no socket it does not come as far as being refused.
        assertThat(Files.readString(answer)).isIn("answered: ", "unreachable");
        if (Files.readString(answer).startsWith("answered")) {
            assertThat(kit.log()).contains("a client was refused: it descends from");
        }
    }

    @Test
    @Tag("WRK-2")
    @Tag("K38")
    void anotherUserIsRefusedEvenWhereTheFilesWouldLetThemIn() throws Exception {
        assumeTrue(Nobody.isAnother(), "only root can be somebody else");
        kit.configure(Script.behaving());
        kit.start();
        var classes = Stranger.classes(dir.resolve("classes"));
        var request = Files.writeString(dir.resolve("request"), kit.request(1, null, "mcp", "status"));
        var answer = Files.createFile(dir.resolve("answer"));
        for (var file : List.of(dir, kit.data, kit.run(), kit.socket(), answer)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
        }

        var ran = ScriptRun.of(
                        "setpriv",
                        "--reuid",
                        "65534",
                        "--regid",
                        "65534",
                        "--clear-groups",
                        "--",
                        ScriptTree.RUNNING_JDK.resolve("bin/java"),
                        "-cp",
                        classes,
                        "dev.postern.app.Stranger",
                        kit.socket(),
                        request,
                        answer)
                .run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(Files.readString(answer)).isEqualTo("answered: ");
        assertThat(kit.log()).contains("a client was refused: it belongs to user 65534");
    }

    @Test
    @Tag("WRK-2")
    void aCommandMayRunForLongerThanAWorkerMayTakeToTakeIt() throws Exception {
        kit.configure(
                Script.behaving().on("call:echo", "sleep 11000").on("call:echo", "answer"),
                true,
                "{\"timeouts\":{\"call\":\"1m\"}}");
        kit.start();

        assertThat(kit.client("call", "s", "echo", "text=late").run().out()).isEqualTo("late\n");
    }
}
