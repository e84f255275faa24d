package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.app.ScriptRun.Ended;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A worker and the commands that it runs for others.
@ExtendWith(LeavesNothingBehind.class)
class WorkerIT {
    private static final List<String> LINES = List.of(
            "mcp servers",
            "mcp tools s",
            "--json mcp tools s",
            "mcp discover s",
            "mcp discover s --show-stderr",
            "mcp tools nobody",
            "mcp tools",
            "mcp tools s t",
            "call s echo text=é😀",
            "call s fail text=no",
            "call s ghost",
            "call s nosuch",
            "call s echo {\"text\":",
            "call s add a=1",
            "--json call s echo",
            "call s echo -i nofile",
            "call s echo -i args.json",
            "call s echo -i .");

    @TempDir
    private Path dir;

    private WorkerKit kit;

    @BeforeEach
    void makesTheDirectoryOurs() throws IOException {
        kit = new WorkerKit(dir.resolve("data"));
    }

    @AfterEach
    void endsWhatIsLeft() {
        kit.close();
    }

    @Test
    @Tag("WRK-3")
    @Tag("CLI-1")
    void statusOfTheWorkerStartsNoServer() throws IOException {
        var record = dir.resolve("record");
        kit.configure(Script.behaving().record(record).atStart("say started"));
        var worker = kit.start();

        var first = kit.client("--json", "mcp", "status").run();
        var second = kit.client("mcp", "status").run();
        var third = kit.client("mcp", "servers").run();

        assertThat(WorkerKit.json(first.out()).path("owner").asText()).isEqualTo("worker");
        assertThat(WorkerKit.json(first.out()).path("ownerPid").asLong())
                .isEqualTo(worker.process().pid());
        assertThat(second.out())
                .contains("Owner: worker, process " + worker.process().pid());
        assertThat(third.exit()).isZero();
        assertThat(record).doesNotExist();
    }

    @Test
    @Tag("WRK-3")
    @Tag("PRC-2")
    void oneInstanceServesAllCommands() throws IOException {
        var record = dir.resolve("record");
        kit.configure(Script.behaving().era("modern").record(record));
        kit.start();

        var pids = new ArrayList<Long>();
        for (int i = 0; i < 2; i++) {
            assertThat(kit.client("mcp", "tools", "s").run().exit()).isZero();
            assertThat(kit.client("call", "s", "echo", "text=" + i).run().out()).isEqualTo(i + "\n");
            var status =
                    WorkerKit.json(kit.client("--json", "mcp", "status").run().out());
            pids.add(status.at("/servers/0/pid").asLong());
        }

        assertThat(pids.getFirst()).isPositive().isEqualTo(pids.getLast());
        assertThat(Files.readAllLines(record))
                .filteredOn(line -> line.contains("tools/list"))
                .hasSize(1);
    }

    @Test
    @Tag("WRK-2")
    @Tag("CLI-5")
    void whatTheWorkerRunsIsByteForByteWhatALocalCommandPrints() throws IOException {
        kit.configure(Script.behaving().atStart("say hello from the server"));
        Files.writeString(kit.data.resolve("args.json"), "{\"text\":\"from a file\"}");
        Map<String, Ended> local = new LinkedHashMap<>();
        for (var line : LINES) {
            local.put(line, kit.local(line.split(" ", -1)).run());
        }
        kit.start();
        for (var ran : local.entrySet()) {
            var forwarded = kit.client(ran.getKey().split(" ", -1)).run();

            assertThat(scrubbed(forwarded)).as(ran.getKey()).isEqualTo(scrubbed(ran.getValue()));
        }
    }

    @Test
    @Tag("WRK-2")
    void aFileIsLookedForInTheClientsDirectoryWhereverTheWorkersIs() throws IOException {
        kit.configure(Script.behaving());
        var elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("relative.json"), "{\"text\":\"there\"}");
        Files.writeString(kit.data.resolve("relative.json"), "{\"text\":\"here\"}");
        kit.start();

        var ran = kit.client("call", "s", "echo", "-i", "relative.json")
                .in(elsewhere)
                .run();
        // A client of which only the request says where it is.
        try (var peer = kit.peer()) {
            var request = (ObjectNode) WorkerKit.json(kit.request(1, null, "call", "s", "echo", "-i", "x/y.json"));
            ((ObjectNode) request.path("params")).put("directory", "/some/where");
            peer.say(StrictJson.text(request) + "\n");

            assertThat(peer.line()).contains("taken");
            assertThat(peer.line()).contains("\"file\":\"/some/where/x/y.json\"");
        }

        assertThat(ran.out()).isEqualTo("there\n");
    }

    /// Without what differs from one call to the next.
    private static String scrubbed(Ended ended) {
        return (ended.exit() + "\n" + ended.out() + "\n---\n" + ended.err())
                .replaceAll("call_[0-9a-f-]+", "call_ID")
                .replaceAll("\"durationMs\":\\d+", "\"durationMs\":0");
    }

    @Test
    @Tag("WRK-2")
    void takesNoCallUnlessItsOwnerAllowsThat() throws IOException {
        kit.configure(Script.behaving(), false, "{}");
        kit.start();

        var ran = kit.client("call", "s", "echo", "text=hi").run();
        var config = kit.client("config", "check").run();

        assertThat(ran.out()).isEqualTo("hi\n");
        assertThat(config.exit()).isZero();
        assertThat(kit.log()).doesNotContain("call ended", "config");
        assertThat(WorkerKit.json(kit.client("--json", "mcp", "status").run().out())
                        .at("/servers/0/pid")
                        .isNull())
                .isTrue();
    }

    @Test
    @Tag("WRK-2")
    void refusesACommandThatChangesThingsWhateverTheOrderOfItsWords() throws IOException {
        kit.configure(Script.behaving());
        kit.start();
        for (var words : List.of(
                "credential list", "--json credential remove x", "--data-dir mcp credential list", "worker stop")) {
            try (var peer = kit.peer()) {
                peer.say(kit.request(1, null, words.split(" ", -1)));
                assertThat(peer.rest()).as(words).contains("\"code\":-32001");
            }
        }
    }

    @Test
    @Tag("WRK-3")
    void callSaysThatTheWorkerHoldsAnotherInstance() throws IOException {
        kit.configure(Script.behaving(), false, "{}");
        var worker = kit.start();
        var before = kit.local("call", "s", "echo", "text=hi").run();
        kit.client("mcp", "tools", "s").run();

        var ran = kit.local("call", "s", "echo", "text=hi").run();

        assertThat(before.err()).isEmpty();
        assertThat(ran.out()).isEqualTo("hi\n");
        assertThat(ran.err())
                .contains("another instance of server s", "" + worker.process().pid());
    }

    @Test
    @Tag("CFG-5")
    void statusSaysWhenTheConfigurationHasChangedSinceTheWorkerReadIt() throws IOException {
        kit.configure(Script.behaving());
        kit.start();
        assertThat(kit.client("mcp", "status").run().err()).isEmpty();

        Files.writeString(kit.data.resolve("config.json"), "{}");

        var status = kit.client("mcp", "status").run();
        assertThat(status.out()).contains("s ");
        assertThat(status.err()).contains("config.json has changed");
        assertThat(WorkerKit.json(kit.client("mcp", "status", "--json").run().out())
                        .path("configChanged")
                        .asBoolean())
                .isTrue();
    }

    @Test
    @Tag("CLI-6")
    void tenMegabytesComeThroughWhole() throws IOException {
        kit.configure(
                Script.behaving().tool("big"), true, "{\"limits\":{\"resultBytes\":1048576,\"frameBytes\":16777216}}");
        kit.start();
        for (int i = 0; i < 10; i++) {
            var ran = kit.client("call", "s", "big", "bytes=1000000").run();

            assertThat(ran.out()).hasSize(1_000_001);
            assertThat(ran.exit()).isZero();
        }
    }

    @Test
    @Tag("WRK-2")
    void anotherControlVersionEndsWith8AndTheNextStep() throws IOException {
        kit.configure(Script.behaving());
        kit.start();
        try (var peer = kit.peer()) {
            peer.say(kit.request(99, null, "mcp", "status"));

            assertThat(peer.rest()).contains("worker.version", "postern worker restart");
        }
    }

    @Test
    @Tag("WRK-2")
    void refusesAClientOfAnotherDataDirectory() throws IOException {
        kit.configure(Script.behaving());
        kit.start();
        try (var peer = kit.peer()) {
            peer.say(kit.request(1, dir, "mcp", "status"));

            assertThat(peer.rest()).contains("worker.refused", dir.toString());
        }
    }

    @Test
    @Tag("K38")
    @Tag("DIR-3")
    void everyFileOfTheWorkerIsOursAloneUnderAnyUmask() throws IOException {
        kit.configure(Script.behaving());
        kit.start("/bin/sh", "-c", "umask 000; exec \"$@\"", "sh");

        for (var file : List.of("control.sock", "lock", "worker.pid", "direct-calls", "../logs/worker.log")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(kit.run().resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kit.run())))
                .isEqualTo("rwx------");
    }

    @Test
    @Tag("WRK-2")
    void aLongPathHasItsSocketInAShortDirectoryOfOurs() throws IOException {
        var runtime = Files.createDirectories(dir.resolve("rt"));
        var far = new WorkerKit(dir.resolve("a-name-of-forty-characters-and-some-more/".repeat(3) + "data"));
        far.configure(Script.behaving());
        Path target;
        try (far) {
            far.start("env", "XDG_RUNTIME_DIR=" + (runtime.toString().length() < 40 ? runtime : "/nonexistent"));
            target = Files.readSymbolicLink(far.socket());

            assertThat(far.status()).isEqualTo("worker");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.getParent())))
                    .isEqualTo("rwx------");

            // Somebody else's directory by now, for all a client can tell.
            Files.setPosixFilePermissions(target.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThat(far.status()).isEqualTo("local");
            Files.setPosixFilePermissions(target.getParent(), PosixFilePermissions.fromString("rwx------"));
            try (var stop = far.peer()) {
                stop.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stop\",\"params\":{\"control\":1}}\n");
                assertThat(stop.rest()).contains("result");
            }
            await().atMost(WorkerKit.PATIENCE).until(() -> !Files.exists(target.getParent()));
            assertThat(Files.isSymbolicLink(far.socket())).isFalse();
        }
    }
}
