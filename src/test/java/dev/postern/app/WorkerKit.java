package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.app.ScriptRun.Ended;
import dev.postern.app.ScriptRun.Started;
import dev.postern.testkit.Script;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A data directory, and workers and clients as processes of their own, from this program's class path: no
/// launcher and no caches between them and a test.
final class WorkerKit implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final Path data;
    private final List<Started> workers = new ArrayList<>();

    WorkerKit(Path data) throws IOException {
        this.data = data;
        Files.createDirectories(
                data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /// One server `s` with the usual tools allowed.
    WorkerKit configure(Script script, boolean directCalls, String more) throws IOException {
        var config = JsonNodeFactory.instance.objectNode();
        var server = config.putArray("mcpServers").addObject();
        server.put("id", "s").put("enabled", true).put("command", script.command());
        script.args().forEach(server.putArray("args")::add);
        server.putArray("tools")
                .add("echo")
                .add("add")
                .add("fail")
                .add("ghost")
                .add("big")
                .add("slow");
        server.setAll((ObjectNode) json(more));
        config.putObject("worker").put("directCalls", directCalls);
        Files.writeString(data.resolve("config.json"), config.toPrettyString());
        return this;
    }

    WorkerKit configure(Script script) throws IOException {
        return configure(script, true, "{}");
    }

    static JsonNode json(String text) {
        return switch (StrictJson.parse(text)) {
            case StrictJson.Valid valid -> valid.value();
            case StrictJson.Malformed malformed -> throw new AssertionError(malformed.describe() + ": " + text);
        };
    }

    Path run() {
        return data.resolve("run");
    }

    Path socket() {
        return run().resolve("control.sock");
    }

    String log() throws IOException {
        return Files.readString(data.resolve("logs/worker.log"));
    }

    /// A worker that takes commands.
    Started start(String... wrapper) {
        var worker = worker(wrapper).start();
        workers.add(worker);
        await().atMost(PATIENCE)
                .until(() -> worker.err().contains("takes commands")
                        || !worker.process().isAlive());
        assertThat(worker.process().isAlive()).as(worker.err()).isTrue();
        return worker;
    }

    ScriptRun worker(String... wrapper) {
        return java(List.of(wrapper), "Main", "worker", "run");
    }

    /// A client whose launcher has seen a worker.
    ScriptRun client(String... words) {
        return java(List.of(), "ClientMain", words);
    }

    /// A command whose launcher has seen no worker.
    ScriptRun local(String... words) {
        return java(List.of(), "Main", words);
    }

    ScriptRun java(List<String> wrapper, String main, String... words) {
        var command = new ArrayList<Object>(wrapper);
        command.add(ScriptTree.RUNNING_JDK.resolve("bin/java"));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                "-Dslf4j.internal.verbosity=ERROR",
                "-Dpostern.data-dir=" + data,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.postern.app." + main));
        command.addAll(List.of(words));
        return ScriptRun.of(command.toArray())
                .in(data)
                .with("POSTERN_DATA_DIR", data)
                .with("LC_ALL", "C.UTF-8")
                .with("HOME", data);
    }

    void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /// Waits until the scripted server has recorded `text`.
    static void awaitRecord(Path record, String text) {
        await().atMost(PATIENCE)
                .until(() -> Files.exists(record) && Files.readString(record).contains(text));
    }

    /// A peer that says what it likes.
    Peer peer() throws IOException {
        return new Peer(SocketChannel.open(StandardProtocolFamily.UNIX), socket());
    }

    static final class Peer implements AutoCloseable {
        private final SocketChannel channel;

        Peer(SocketChannel channel, Path socket) throws IOException {
            this.channel = channel;
            channel.connect(
                    UnixDomainSocketAddress.of(Files.isSymbolicLink(socket) ? Files.readSymbolicLink(socket) : socket));
        }

        void say(String text) throws IOException {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                var _ = channel.write(bytes);
            }
        }

        /// The next line that comes, without its end.
        String line() throws IOException {
            var line = new StringBuilder();
            var one = ByteBuffer.allocate(1);
            while (channel.read(one.clear()) == 1 && one.get(0) != '\n') {
                line.append((char) one.get(0));
            }
            return line.toString();
        }

        /// All that comes until the worker hangs up.
        String rest() {
            var all = new StringBuilder();
            var buffer = ByteBuffer.allocate(65_536);
            try {
                while (channel.read(buffer) >= 0) {
                    all.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
                    buffer.clear();
                }
            } catch (IOException reset) {
                // As good as an end.
            }
            return all.toString();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// The request of a client for `words`.
    String request(int control, @Nullable Path dataDir, String... words) {
        var request = JsonNodeFactory.instance
                .objectNode()
                .put("jsonrpc", "2.0")
                .put("id", 1)
                .put("method", "run");
        var params = request.putObject("params").put("control", control);
        List.of(words).forEach(params.putArray("arguments")::add);
        params.put("directory", data.toString())
                .put("dataDir", (dataDir == null ? data : dataDir).toString())
                .put("columns", 0)
                .put("terminals", "")
                .put("colour", false);
        return StrictJson.text(request) + "\n";
    }

    String status() {
        Ended ran = client("mcp", "status", "--json").run();
        assertThat(ran.exit()).as("%s", ran).isZero();
        return json(ran.out()).path("owner").asText();
    }

    @Override
    public void close() {
        for (var worker : workers) {
            // Unless the test has awaited its end.
            if (Files.exists(worker.outFile())) {
                worker.process().destroyForcibly();
                var _ = worker.end();
            }
        }
    }
}
