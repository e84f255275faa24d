package dev.postern.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.base.Written;
import dev.postern.mcp.Connection;
import dev.postern.mcp.Connector.Attempt;
import dev.postern.process.Containment.Kind;
import dev.postern.process.Instance;
import dev.postern.process.LaunchSpec;
import dev.postern.process.Launcher;
import dev.postern.process.Toolbox;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import dev.postern.wire.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeavesNothingBehind.class)
class StdioConnectorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");

    @TempDir
    Path directory;

    private final Launcher launcher = new Launcher();
    private final List<StdioConnector> connectors = new ArrayList<>();
    private Timeouts timeouts = Timeouts.standard();

    /// Keeps what arrives.
    private static final class Recorder implements Connection.Receiver {
        private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        private final BlockingQueue<Problem> ends = new LinkedBlockingQueue<>();

        @Override
        public void received(Message message) {
            messages.add(message);
        }

        @Override
        public void ended(Problem reason) {
            ends.add(reason);
        }

        Message message() {
            return taken(messages);
        }

        Problem end() {
            return taken(ends);
        }

        private static <T> T taken(BlockingQueue<T> queue) {
            try {
                T next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("nothing came within " + PATIENCE);
                }
                return next;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private record Opened(StdioConnector connector, Connection connection, Recorder recorder) {
        void request(int id, String method, @Nullable ObjectNode params) {
            var _ = connection.send(new Message.Request(IntNode.valueOf(id), method, params));
        }

        void call(int id, String tool) {
            var params = JsonNodeFactory.instance.objectNode().put("name", tool);
            params.putObject("arguments").put("text", "hi");
            request(id, "tools/call", params);
        }
    }

    @AfterEach
    void stopEverything() {
        connectors.forEach(connector -> assertThat(connector.stop(close())).isNull());
    }

    @Test
    @Tag("PRC-2")
    void carriesMessagesBothWays() throws Exception {
        var server = open(Script.behaving());
        server.request(1, "initialize", null);
        assertThat(server.recorder.message()).isInstanceOf(Message.Result.class);

        assertThat(server.connection
                        .send(new Message.Notification("notifications/initialized", null))
                        .get())
                .isEqualTo(Written.WHOLE);
        server.call(2, "echo");

        assertThat(server.recorder.message())
                .isInstanceOfSatisfying(
                        Message.Result.class,
                        result -> assertThat(
                                        result.result().at("/content/0/text").asText())
                                .isEqualTo("hi"));
        assertThat(server.connector.current()).isNotNull();
    }

    @Test
    void keepsWhatCameBeforeItWasOpened() throws InterruptedException {
        var connector = connector(Script.behaving().atStart("raw {\"jsonrpc\":\"2.0\",\"method\":\"early\"}"));
        var connection = connect(connector);
        var recorder = new Recorder();

        connection.open(recorder);

        assertThat(recorder.message()).isEqualTo(new Message.Notification("early", null));
    }

    @Test
    void tellsTheEndThatCameBeforeItWasOpened() {
        var connector = connector(Script.empty().atStart("exit 3"));
        var connection = connect(connector);
        await().atMost(PATIENCE)
                .until(() -> connector.current() != null && connector.current().exit() != null);
        var recorder = new Recorder();

        connection.open(recorder);

        assertThat(recorder.end().message()).contains("ended with exit code 3");
    }

    @Tag("P11")
    @Tag("PRC-6")
    @ParameterizedTest
    @CsvSource({
        "exit 0,ended with exit code 0",
        "exit 1,ended with exit code 1",
        "signal SEGV,was ended by SIGSEGV (status 139)",
        "signal KILL,was ended by SIGKILL (status 137)",
        "signal PIPE,was ended by SIGPIPE (status 141)"
    })
    void saysOnceHowTheProcessEndedWhereverItWas(String step, String words) {
        for (String when : List.of("at start", "on initialize", "on tools/list", "on call:echo")) {
            var server = open(Script.behaving().line(when + " " + step));
            server.request(1, "initialize", null);
            server.request(2, "tools/list", null);
            server.call(3, "echo");

            Problem end = server.recorder.end();

            assertThat(end.code()).isEqualTo(ErrorCode.WIRE_CLOSED);
            assertThat(end.message()).isEqualTo("Server \"it\" is gone: its process " + words + ".");
            assertThat(end.next()).contains("--show-stderr");
            assertThat(server.connector.stop(close())).isNull();
            assertThat(server.recorder.ends).isEmpty();
        }
    }

    @Test
    @Tag("P11")
    void saysHowAnIdleProcessEnded() {
        var server = open(Script.behaving());
        server.request(1, "initialize", null);
        server.recorder.message();

        ProcessHandle.of(current(server.connector).pid()).orElseThrow().destroyForcibly();

        assertThat(server.recorder.end().message()).contains("was ended by SIGKILL");
    }

    @Test
    @Tag("CAL-2")
    void writesNothingToServerThatHasGone() throws Exception {
        var server = open(Script.behaving().on("ping", "exit 0"));
        server.request(1, "ping", null);
        server.recorder.end();

        var written = server.connection.send(new Message.Notification("late", null));

        assertThat(written.get()).isEqualTo(Written.NOT_AT_ALL);
    }

    @Test
    @Tag("P16")
    void killsOnlyTheServerThatDoesNotRead() throws Exception {
        timeouts = timeouts.with(Timeout.CALL, Duration.ofMillis(500));
        var deaf = open(Script.empty().neverReads());
        var other = open(Script.behaving());
        var large = JsonNodeFactory.instance.objectNode().put("text", "x".repeat(200_000));

        var partly = deaf.connection.send(new Message.Request(IntNode.valueOf(1), "tools/call", large));
        var behind = deaf.connection.send(new Message.Notification("behind", null));

        Problem end = deaf.recorder.end();
        assertThat(end.message())
                .isEqualTo("Server \"it\" did not read its standard input within the call deadline of 500ms"
                        + " (timeouts.call), and was killed.");
        assertThat(partly.get()).isEqualTo(Written.PARTLY);
        assertThat(behind.get()).isEqualTo(Written.NOT_AT_ALL);
        assertThat(deaf.connector.stop(close())).isNull();
        other.request(1, "initialize", null);
        assertThat(other.recorder.message()).isInstanceOf(Message.Result.class);
    }

    @Test
    @Tag("F2")
    @Tag("LIM-3")
    void endsServerThatNeverEndsItsLine() {
        var server = open(Script.behaving().atStart("endless forever"));

        Problem end = server.recorder.end();

        assertThat(end.code()).isEqualTo(ErrorCode.WIRE_FRAME_TOO_LARGE);
        await().atMost(PATIENCE).until(() -> current(server.connector).exit() != null);
    }

    @Test
    @Tag("F1")
    void takesFramesUpToTheLimitAndNotOneByteMore() {
        String frame = "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"x\":\"%s\"}}";
        int room = 1_000 - (frame.length() - 2);
        var server = open(
                Script.behaving()
                        .atStart("raw " + frame.replace("%s", "y".repeat(room)))
                        .atStart("raw " + frame.replace("%s", "y".repeat(room + 1))),
                Limits.standard().with(Limit.FRAME_BYTES, 1_000));

        assertThat(server.recorder.message()).isInstanceOf(Message.Notification.class);
        assertThat(server.recorder.end().message()).contains("1001 bytes").contains("1000");
        assertThat(server.recorder.messages).isEmpty();
    }

    @Test
    @Tag("F4")
    @Tag("WIR-2")
    void toleratesSomeNoiseAndClosesOnMore() {
        var quiet = open(Script.behaving().atStart("noise 64 hello"));
        quiet.request(1, "initialize", null);
        assertThat(quiet.recorder.message()).isInstanceOf(Message.Result.class);

        var loud = open(Script.behaving().atStart("noise 65 hello"));
        assertThat(loud.recorder.end().code()).isEqualTo(ErrorCode.WIRE_NOISE);
    }

    @Test
    @Tag("F6")
    @Tag("WIR-8")
    void bearsFloodOfNotifications() {
        var server = open(
                Script.behaving().on("ping", "notify 100000 notifications/x").on("ping", "answer"));
        server.request(1, "initialize", null);
        server.request(2, "ping", null);

        for (int i = 0; i < 100_002; i++) {
            server.recorder.message();
        }
        server.connection.close(new Problem(ErrorCode.CANCELLED, "Enough.", "Nothing."));
        assertThat(server.recorder.end().message()).isEqualTo("Enough.");
    }

    @Test
    @Tag("P12")
    void stopsServerThatWasClosedInTheMiddleOfFlood() {
        var server = open(Script.behaving().ignoresTerm().on("ping", "notify 100000000 x"));
        server.request(1, "initialize", null);
        server.request(2, "ping", null);
        server.recorder.message();
        server.recorder.message();

        server.connection.close(new Problem(ErrorCode.CANCELLED, "Enough.", "Nothing."));
        assertThat(server.recorder.end().message()).isEqualTo("Enough.");
        int count = server.recorder.messages.size();

        assertThat(server.connector.stop(Deadline.after(Duration.ofSeconds(1), Timeout.CLOSE)))
                .isNull();
        assertThat(server.recorder.messages).hasSize(count);
        assertThat(server.recorder.ends).isEmpty();
    }

    @Test
    @Tag("WIR-7")
    void writesWhatWasQueuedBeforeTheStop() throws IOException {
        Path record = directory.resolve("record");
        var server = open(Script.behaving().record(record));
        server.request(1, "initialize", null);
        server.recorder.message();
        for (int i = 0; i < 100; i++) {
            var _ = server.connection.send(new Message.Notification("n" + i, null));
        }

        assertThat(server.connector.stop(close())).isNull();

        assertThat(Files.readAllLines(record)).hasSize(102).last().isEqualTo("#eof");
        assertThat(server.recorder.end().message()).isEqualTo("Server \"it\" was stopped by Postern.");
    }

    @Test
    @Tag("PRC-5")
    void startsNothingAfterTheStop() {
        var connector = connector(Script.behaving());
        assertThat(connector.stop(close())).isNull();

        assertThat(connector.connect(startup())).isInstanceOf(Attempt.Failed.class);
        assertThat(connector.current()).isNull();
    }

    @Test
    @Tag("PRC-3")
    void stopsEveryInstanceAtTheSameTime() {
        var connector = connector(Script.behaving().ignoresEof().ignoresTerm());
        for (int i = 0; i < 3; i++) {
            var recorder = new Recorder();
            var connection = connect(connector);
            connection.open(recorder);
            var _ = connection.send(new Message.Request(IntNode.valueOf(1), "initialize", null));
            recorder.message();
        }
        var deadline = Deadline.after(Duration.ofSeconds(3), Timeout.CLOSE);

        assertThat(connector.stop(deadline)).isNull();
    }

    @Test
    @Tag("PRC-3")
    void stopWaitsForALaunchThatIsUnderWay() throws Exception {
        Path started = directory.resolve("started");
        Path gate = directory.resolve("gate");
        assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor())
                .isZero();
        Path bwrap = directory.resolve("bwrap");
        Files.writeString(bwrap, "#!/bin/sh\n: > " + started + "\nread line < " + gate + "\n");
        Files.setPosixFilePermissions(bwrap, PosixFilePermissions.fromString("rwxr-xr-x"));
        var slow = new Launcher(new Toolbox(List.of(directory, Path.of("/usr/bin"))), Kind.BWRAP);
        assumeThat(slow.probe().kind()).isEqualTo(Kind.BWRAP);
        Files.delete(started);
        var spec = new LaunchSpec("it", "/bin/true", List.of(), null, ENVIRONMENT, Map.of());
        var connector = new StdioConnector(slow, spec, Limits.standard(), timeouts);
        var attempt = new CompletableFuture<Attempt>();
        Threads.virtual("connect", () -> attempt.complete(connector.connect(startup())));
        await().atMost(PATIENCE).until(() -> Files.exists(started));

        assertThat(connector.stop(close())).isNull();

        assertThat(connector.current()).isNotNull();
        assertThat(current(connector).exit()).isNotNull();
        assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Attempt.Failed.class);
    }

    @Test
    @Tag("LIM-3")
    void goesOnDrainingWhenThereWasNoMemoryForAMessage() {
        var connector = connector(Script.behaving().tool("big"));
        var connection = connect(connector);
        var ends = new LinkedBlockingQueue<Problem>();
        connection.open(new Connection.Receiver() {
            @Override
            public void received(Message message) {
                throw new OutOfMemoryError("for the test");
            }

            @Override
            public void ended(Problem reason) {
                ends.add(reason);
            }
        });

        var _ = connection.send(new Message.Request(IntNode.valueOf(1), "initialize", null));

        assertThat(Recorder.taken(ends).code()).isEqualTo(ErrorCode.INTERNAL);
        await().atMost(PATIENCE).until(() -> current(connector).exit() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-such-command", "/no/such/command"})
    void failsWithoutProcessWhenTheCommandIsNotThere(String command) {
        var spec = new LaunchSpec("it", command, List.of(), null, ENVIRONMENT, Map.of());
        var connector = new StdioConnector(launcher, spec, Limits.standard(), timeouts);

        assertThat(connector.connect(startup()))
                .isInstanceOfSatisfying(
                        Attempt.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo(ErrorCode.START_COMMAND_NOT_FOUND));
        assertThat(connector.current()).isNull();
    }

    private Opened open(Script script) {
        return open(script, Limits.standard());
    }

    private Opened open(Script script, Limits limits) {
        var connector = connector(script, limits);
        var connection = connect(connector);
        var recorder = new Recorder();
        connection.open(recorder);
        return new Opened(connector, connection, recorder);
    }

    private StdioConnector connector(Script script) {
        return connector(script, Limits.standard());
    }

    private StdioConnector connector(Script script, Limits limits) {
        var spec = new LaunchSpec("it", script.command(), script.args(), null, ENVIRONMENT, Map.of());
        var connector = new StdioConnector(launcher, spec, limits, timeouts);
        connectors.add(connector);
        return connector;
    }

    private static Connection connect(StdioConnector connector) {
        return switch (connector.connect(startup())) {
            case Attempt.Connected connected -> connected.connection();
            case Attempt.Failed failed -> throw new AssertionError(failed.problem());
        };
    }

    private static Instance current(StdioConnector connector) {
        Instance instance = connector.current();
        if (instance == null) {
            throw new AssertionError("nothing was started");
        }
        return instance;
    }

    private static Deadline startup() {
        return Timeouts.standard().start(Timeout.STARTUP);
    }

    private static Deadline close() {
        return Timeouts.standard().start(Timeout.CLOSE);
    }
}
