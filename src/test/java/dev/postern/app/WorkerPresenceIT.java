package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a worker whose files somebody removes, replaces or moves under it.
@ExtendWith(LeavesNothingBehind.class)
@Tag("WRK-1")
class WorkerPresenceIT {
    @TempDir
    private Path dir;

    private Path record;
    private WorkerKit kit;

    @BeforeEach
    void configures() throws IOException {
        record = dir.resolve("record");
        kit = new WorkerKit(dir.resolve("data")).configure(Script.behaving());
    }

    @AfterEach
    void endsWhatIsLeft() {
        kit.close();
    }

    private void remove(String... words) throws Exception {
        var command = new ProcessBuilder(words).directory(kit.data.toFile()).inheritIO();
        assertThat(command.start().waitFor()).isZero();
    }

    @ParameterizedTest
    @Tag("W22")
    @ValueSource(strings = {"rm run/lock", "rm -r run", "mv run elsewhere"})
    void aWorkerThatLosesItsLockLetsNobodyElseInAndEndsByItself(String command) throws Exception {
        var worker = kit.start();
        kit.signal(worker.process(), "STOP");
        remove(command.split(" ", -1));
        var second = kit.worker().run();
        kit.signal(worker.process(), "CONT");

        assertThat(second.exit()).as("%s", second).isEqualTo(8);
        assertThat(second.err()).contains("is running");
        var ended = worker.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(8);
        assertThat(ended.err()).contains("run/lock was removed or replaced", "worker start");
        assertThat(kit.log()).contains("ending without being told", "has ended");

        kit.start();
        assertThat(kit.status()).isEqualTo("worker");
    }

    @Test
    void aWorkerWhoseDirectoryIsMovedEndsAndLeavesTheNextOneAtThatPlaceAlone() throws Exception {
        var worker = kit.start();
        kit.signal(worker.process(), "STOP");
        Files.move(kit.data, dir.resolve("moved"));
        var next = new WorkerKit(kit.data);
        try (next) {
            var successor = next.configure(Script.behaving()).start();
            kit.signal(worker.process(), "CONT");

            var ended = worker.end();
            assertThat(ended.exit()).as("%s", ended).isEqualTo(8);
            assertThat(ended.err()).contains("data directory " + kit.data + " was moved");
            assertThat(next.status()).isEqualTo("worker");
            var status = WorkerKit.json(
                    next.local("worker", "status", "--json").run().out());
            assertThat(status.path("pid").asLong())
                    .isEqualTo(successor.process().pid());
            assertThat(next.run().resolve("direct-calls")).exists();
        }
    }

    @Test
    void aCallInFlightOfAWorkerThatLostItsLockComesToItsEnd() throws Exception {
        kit.configure(
                Script.behaving().record(record).on("call:echo", "sleep 2500").on("call:echo", "answer"));
        var worker = kit.start();
        var client = kit.client("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");

        remove("rm", "run/lock");

        assertThat(client.end().out()).isEqualTo("hi\n");
        assertThat(worker.end().exit()).isEqualTo(8);
    }

    @ParameterizedTest
    @Tag("WRK-2")
    @ValueSource(strings = {"rm control.sock", "rm control.sock worker.pid direct-calls", "cp worker.pid control.sock"})
    void whatIsRemovedBesideTheLockIsMadeAnew(String command) throws Exception {
        var worker = kit.start();
        remove("/bin/sh", "-c", "cd run && " + command.replace("cp", "rm control.sock && cp"));

        await().atMost(WorkerKit.PATIENCE)
                .until(() -> kit.local("worker", "status").run().exit() == 0);
        assertThat(kit.status()).isEqualTo("worker");
        assertThat(kit.client("call", "s", "echo", "text=hi").run().out()).isEqualTo("hi\n");
        assertThat(kit.log()).contains("made anew", "call ended with 0");
        assertThat(kit.run().resolve("worker.pid")).exists();
        assertThat(kit.run().resolve("direct-calls")).exists();

        remove("rm", "run/control.sock");
        var stopped = kit.local("worker", "stop").run();
        assertThat(stopped.exit()).as("%s", stopped).isZero();
        assertThat(stopped.out()).contains("process " + worker.process().pid());
        assertThat(worker.end().exit()).isZero();
        assertThat(kit.socket()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rubbish", "PID\n", "PID\nPID 1 none none\n", "1\n1 1 none none\n", "999999999\n"})
    void aWrongPidFileConfusesNobodyAndIsWrittenAnew(String text) throws Exception {
        var bystander = new ProcessBuilder("sleep", "300").start();
        try {
            var worker = kit.start();
            kit.signal(worker.process(), "STOP");
            var file = Files.writeString(
                    kit.run().resolve("worker.pid"), text.replace("PID", Long.toString(bystander.pid())));
            var refused = kit.worker().run();
            kit.signal(worker.process(), "CONT");

            assertThat(refused.err()).contains("process " + worker.process().pid());
            await().atMost(WorkerKit.PATIENCE)
                    .until(() ->
                            Files.readString(file).startsWith(worker.process().pid() + "\n"));
            Files.writeString(file, text.replace("PID", Long.toString(bystander.pid())));
            var stopped = kit.local("worker", "stop").run();
            assertThat(stopped.exit()).as("%s", stopped).isZero();
            assertThat(stopped.out()).contains("process " + worker.process().pid());
            assertThat(worker.end().exit()).isZero();

            Files.writeString(file, text.replace("PID", Long.toString(bystander.pid())));
            assertThat(kit.local("worker", "stop").run().err()).contains("No worker runs");
            assertThat(kit.local("worker", "status").run().err()).contains("No worker runs");
            assertThat(bystander.isAlive()).isTrue();
        } finally {
            bystander.destroyForcibly();
        }
    }

    @Test
    @Tag("WRK-3")
    @Tag("WRK-4")
    void aWorkerThatIsEndingStillTellsWhatItHoldsAndTakesNothingNew() throws Exception {
        kit.configure(
                Script.behaving().record(record).on("call:echo", "nothing"),
                true,
                "{\"timeouts\":{\"call\":\"1h\"},\"parallel\":true}");
        var worker = kit.start();
        var client = kit.client("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");
        kit.signal(worker.process(), "TERM");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.log().contains("told to end"));

        var status = kit.local("--json", "worker", "status").run();
        var called = kit.client("call", "s", "add", "a=1", "b=2").run();

        assertThat(WorkerKit.json(status.out()).path("ending").asBoolean()).isTrue();
        assertThat(called.out()).isEqualTo("3\n");
        assertThat(called.err())
                .contains("worker (process " + worker.process().pid() + ") holds another instance of server s");
        kit.signal(worker.process(), "TERM");
        assertThat(client.end().exit()).isEqualTo(130);
        assertThat(worker.end().exit()).isZero();
    }
}
