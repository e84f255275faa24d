package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every way to end a worker, or to learn that it never began.
@ExtendWith(LeavesNothingBehind.class)
class WorkerEndIT {
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

    @Test
    @Tag("WRK-1")
    void aClientOfAnotherControlVersionMayAskForTheStatusAndTheEnd() throws IOException {
        kit.configure(Script.behaving());
        var worker = kit.start();
        try (var peer = kit.peer()) {
            peer.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":{\"control\":99}}\n");
            assertThat(peer.rest()).contains("\"pid\":" + worker.process().pid());
        }
        try (var peer = kit.peer()) {
            peer.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stop\",\"params\":{\"control\":99}}\n");
            assertThat(peer.rest()).contains("result");
        }
        assertThat(worker.end().exit()).isZero();
    }

    /// Stands for a worker that takes no request of ours; what ends it is SIGTERM.
    @ParameterizedTest
    @Tag("WRK-1")
    @ValueSource(strings = {"worker.version", "worker.busy"})
    void aWorkerThatRefusesToEndIsSentSigterm(String code) throws Exception {
        kit.configure(Script.behaving());
        Files.createDirectory(
                kit.run(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var owner = new ProcessBuilder(
                        ScriptTree.RUNNING_JDK.resolve("bin/java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.postern.control.OwnershipRacer",
                        kit.run().toString())
                .start();
        owner.outputWriter(StandardCharsets.UTF_8).append('\n').flush();
        await().atMost(WorkerKit.PATIENCE).until(() -> Files.exists(kit.run().resolve("worker.pid")));
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(kit.socket()));
            var stop = kit.local("worker", "stop").start();
            try (var client = listener.accept()) {
                client.write(ByteBuffer.wrap(("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
                                + "\"message\":\"No.\",\"data\":{\"code\":\"" + code + "\",\"next\":\"Wait.\"}}}\n")
                        .getBytes(StandardCharsets.UTF_8)));
                var ended = stop.end();

                assertThat(ended.exit()).as("%s", ended).isZero();
                assertThat(ended.out()).contains("process " + owner.pid());
            }
            assertThat(owner.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            owner.destroyForcibly();
        }
    }

    private Script stubborn() {
        return Script.behaving()
                .era("legacy")
                .record(record)
                .ignoresEof()
                .ignoresTerm()
                .on("call:echo", "nothing");
    }

    @Test
    @Timeout(25)
    @Tag("WRK-4")
    @Tag("W26")
    void aSecondSigtermDoesNotWaitForAServerThatWillNotEnd() throws Exception {
        kit.configure(stubborn(), true, "{\"timeouts\":{\"call\":\"1h\",\"close\":\"30s\"}}");
        var worker = kit.start();
        var client = kit.client("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");

        kit.signal(worker.process(), "TERM");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.log().contains("told to end"));
        kit.signal(worker.process(), "TERM");

        assertThat(worker.end().exit()).isZero();
        assertThat(client.end().exit()).isEqualTo(130);
    }

    @Test
    @Timeout(25)
    @Tag("WRK-4")
    @Tag("W26")
    void aSecondSigtermHurriesAStopThatIsUnderWay() throws Exception {
        kit.configure(stubborn(), true, "{\"timeouts\":{\"close\":\"30s\"}}");
        var worker = kit.start();
        assertThat(kit.client("mcp", "tools", "s").run().exit()).isZero();

        kit.signal(worker.process(), "TERM");
        WorkerKit.awaitRecord(record, "#eof");
        kit.signal(worker.process(), "TERM");

        assertThat(worker.end().exit()).isZero();
    }

    @Test
    @Timeout(40)
    @Tag("WRK-1")
    void aStartThatFailsSaysSoAtOnceWhateverItsExitCode() throws Exception {
        kit.configure(Script.behaving());
        var launcher = dir.resolve("launcher");
        Files.writeString(launcher, "#!/bin/sh\necho not today\nexit 8\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));

        var ended = kit.local("worker", "start")
                .with("JAVA_TOOL_OPTIONS", "-Dpostern.launcher=" + launcher)
                .run();

        assertThat(ended.exit()).as("%s", ended).isEqualTo(8);
        assertThat(ended.err()).contains("ended while it started (ended with exit code 8)", "not today");
    }

    @Test
    @Timeout(60)
    @Tag("CLI-6")
    void followingTheLogEndsWhenItsReaderHasGoneAndOnCtrlC() throws Exception {
        Files.writeString(Files.createDirectory(kit.data.resolve("logs")).resolve("worker.log"), "one\n");

        var cut = kit.java(List.of("/bin/sh", "-c", "\"$@\" | head -n 1", "sh"), "Main", "worker", "logs", "--follow")
                .run();
        var followed = kit.local("worker", "logs", "--follow").start();
        await().atMost(WorkerKit.PATIENCE).until(() -> followed.out().equals("one\n"));
        kit.signal(followed.process(), "INT");

        assertThat(cut.out()).isEqualTo("one\n");
        assertThat(cut.err()).isEmpty();
        assertThat(followed.end().exit()).isEqualTo(130);
    }

    @Test
    @Tag("SEC-5")
    void nothingThatACallWasGivenIsInTheLog() throws Exception {
        kit.configure(Script.behaving());
        var worker = kit.start();
        for (var words : new String[][] {
            {"call", "s", "echo", "text=canary"}, {"call", "s", "canary"}, {"call", "canary", "echo", "--canary"}
        }) {
            var _ = kit.client(words).run();
        }
        kit.signal(worker.process(), "TERM");
        assertThat(worker.end().exit()).isZero();

        assertThat(kit.log()).contains("call ended with 0", "call ended with 2").doesNotContain("canary");
    }
}
