package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import dev.postern.base.Threads;
import dev.postern.catalog.ModelNames;
import dev.postern.cli.render.Streams;
import dev.postern.control.Client;
import dev.postern.demo.DemoServer;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs typical commands in one virtual machine, for the launcher, which keeps what was loaded as the
/// ahead-of-time cache: `light` those that need no server, `full` those that start one, `agent` those that
/// ask a model. It works in the throw-away
/// directory that `POSTERN_DATA_DIR` names, and prints nothing.
public final class Training {
    private static final List<List<String>> LIGHT = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("config", "check"),
            List.of("config", "schema"),
            List.of("credential", "list"));

    private static final List<List<String>> FULL = List.of(
            List.of("mcp", "status"),
            List.of("mcp", "tools", "demo"),
            List.of("call", "demo", "echo", "text=hi"),
            List.of("--json", "call", "demo", "add", "{\"a\":1,\"b\":2}"),
            List.of("call", "demo", "echo", "text=hi", "more=1"),
            List.of("runs", "list"),
            List.of("--json", "runs", "list"),
            List.of("mcp", "status"));

    private static final List<List<String>> AGENT =
            List.of(List.of("exec", "--prompt", "hi", "--allow", "demo/echo"), List.of("--json", "chat", "new", "hi"));

    /// A model that calls the demo server's `echo` and then says something.
    private static final List<String> ANSWERS = List.of("""
            {"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"NAME",\
            "arguments":"{\\"input\\":\\"{\\\\\\"text\\\\\\":\\\\\\"hi\\\\\\"}\\"}"}}]}""", "{\"content\":\"hi\"}");

    private Training() {}

    /// Runs every command of one kind.
    ///
    /// @param args `light`, `full`, `agent` or `client`
    public static void main(String... args) throws IOException {
        var directory = Path.of(System.getenv("POSTERN_DATA_DIR"));
        if (args[0].equals("client")) {
            forward(directory);
            return;
        }
        switch (args[0]) {
            case "light" -> {
                configure(directory, null);
                LIGHT.forEach(Training::run);
            }
            case "agent" -> askModel(directory);
            default -> {
                configure(directory, null);
                FULL.forEach(Training::run);
                work(directory);
            }
        }
    }

    /// With a model on loopback that gives its answers in turn.
    private static void askModel(Path directory) throws IOException {
        var model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var turn = new AtomicInteger();
        model.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            var delta =
                    ANSWERS.get(turn.getAndIncrement() % ANSWERS.size()).replace("NAME", ModelNames.of("demo", "echo"));
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                for (var choice : List.of(
                        "{\"index\":0,\"delta\":" + delta + "}",
                        "{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}")) {
                    out.write(("data: {\"choices\":[" + choice + "]}\n\n").getBytes(StandardCharsets.UTF_8));
                }
                out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
            }
        });
        model.start();
        try {
            configure(directory, "http://127.0.0.1:" + model.getAddress().getPort());
            AGENT.forEach(Training::run);
        } finally {
            model.stop(0);
        }
    }

    private static void run(List<String> words) {
        var _ = Main.run(
                new Streams(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream()),
                words);
    }

    /// A worker that serves a few commands and ends.
    private static void work(Path directory) {
        var worker = Threads.platform("training", () -> run(List.of("worker", "run")));
        for (var words : FULL.subList(0, 2)) {
            while (worker.isAlive() && ask(directory, words) < 0) {
                Threads.pause(Duration.ofMillis(10));
            }
        }
        try (var client = Client.connect(directory.resolve("run"), Duration.ofSeconds(10))) {
            if (client != null) {
                var _ = client.stop();
            }
        }
        Threads.join(worker);
    }

    /// A client whose worker is a few lines of text: the cache is to hold what a client needs and nothing else.
    private static void forward(Path directory) throws IOException {
        var run = Files.createDirectories(directory.resolve("run"));
        var lines = """
                {"jsonrpc":"2.0","method":"taken"}
                {"jsonrpc":"2.0","method":"output","params":{"stream":1,"base64":"aGk="}}
                {"jsonrpc":"2.0","id":1,"method":"flush","params":{"stream":1}}
                {"jsonrpc":"2.0","id":1,"result":{"exitCode":0}}
                """.getBytes(StandardCharsets.UTF_8);
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(run.resolve("control.sock")));
            var worker = Threads.platform("training", () -> {
                try (var channel = listener.accept()) {
                    var _ = channel.write(ByteBuffer.wrap(lines));
                    while (channel.read(ByteBuffer.allocate(1_000)) >= 0) {
                        // The client hangs up when it has its answer.
                    }
                } catch (IOException e) {
                    // Then it has learnt less.
                }
            });
            var _ = ask(directory, FULL.getFirst());
            Threads.join(worker);
        }
    }

    private static int ask(Path directory, List<String> words) {
        System.setProperty("postern.data-dir", directory.toString());
        return ClientMain.forward(
                new FileInputStream(FileDescriptor.in),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                words);
    }

    private static void configure(Path directory, @Nullable String model) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var config = JsonNodeFactory.instance.objectNode();
        var server = config.putArray("mcpServers").addObject();
        var command = DemoServer.command();
        server.put("id", "demo").put("enabled", true).put("command", command.getFirst());
        var args = server.putArray("args");
        command.subList(1, command.size()).forEach(args::add);
        server.putArray("tools").add("echo").add("add");
        if (model != null) {
            config.putObject("model")
                    .put("provider", "openai")
                    .put("name", "training")
                    .put("baseUrl", model);
        }
        Files.writeString(directory.resolve("config.json"), config.toString());
    }
}
