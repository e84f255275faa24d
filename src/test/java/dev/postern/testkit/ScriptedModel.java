package dev.postern.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A model on loopback that does what it is told, turn by turn, in the words of the provider whose path is asked:
/// OpenAI's chat completions, Anthropic's messages, Gemini's `streamGenerateContent`, all streamed. It keeps what it
/// was asked. A request without a turn left is answered with status 500 and says so.
public final class ScriptedModel implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<ModelTurn> turns = new ConcurrentLinkedQueue<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger busy = new AtomicInteger();

    /// One request.
    ///
    /// @param headers by their names in lower case
    public record Asked(String path, Map<String, String> headers, JsonNode body) {}

    private ScriptedModel(HttpServer server) {
        this.server = server;
    }

    /// One that does `turns` in this order.
    public static ScriptedModel doing(ModelTurn... turns) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var model = new ScriptedModel(server);
            model.then(turns);
            server.createContext("/", model::serve);
            server.setExecutor(model.executor);
            server.start();
            return model;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void then(ModelTurn... more) {
        turns.addAll(List.of(more));
    }

    /// What to configure as `model.baseUrl`.
    public URI baseUrl() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// Every request so far, in order.
    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    /// How many clients are being answered now.
    public int busy() {
        return busy.get();
    }

    private void serve(HttpExchange exchange) throws IOException {
        busy.incrementAndGet();
        try {
            String path = exchange.getRequestURI().getPath();
            var headers = new TreeMap<String, String>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            asked.add(new Asked(
                    path, headers, JSON.readTree(exchange.getRequestBody().readAllBytes())));
            perform(exchange, turns.poll(), ModelSpeech.of(path));
        } finally {
            busy.decrementAndGet();
        }
    }

    private static void perform(HttpExchange exchange, @Nullable ModelTurn turn, ModelSpeech speech)
            throws IOException {
        switch (turn) {
            case null -> whole(exchange, 500, Map.of(), "{\"error\":{\"message\":\"the script is over\"}}");
            case ModelTurn.Raw raw -> whole(exchange, raw.status(), raw.headers(), raw.body());
            case ModelTurn.Refusal refusal -> {
                boolean waits = refusal.why() == ModelTurn.Refusal.Why.RATE && speech != ModelSpeech.GEMINI;
                whole(
                        exchange,
                        speech.status(refusal.why()),
                        waits ? Map.of("retry-after", "7") : Map.of(),
                        speech.error(refusal));
            }
            case ModelTurn.Answer answer -> stream(exchange, answer, speech);
        }
    }

    private static void whole(HttpExchange exchange, int status, Map<String, String> headers, String body)
            throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (exchange;
                var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static void stream(HttpExchange exchange, ModelTurn.Answer answer, ModelSpeech speech) throws IOException {
        exchange.getResponseHeaders().set("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        var out = exchange.getResponseBody();
        String last = "";
        for (var event : speech.events(answer)) {
            write(out, event);
            last = event;
        }
        switch (answer.end()) {
            case WHOLE, CUT_SHORT, WITHHELD -> {
                for (var event : speech.end(answer)) {
                    write(out, event);
                }
            }
            case UNFINISHED -> {}
            case ERROR ->
                write(
                        out,
                        (speech == ModelSpeech.ANTHROPIC ? "event: error\n" : "") + "data: "
                                + speech.error(ModelTurn.refusal(ModelTurn.Refusal.Why.FAULT)) + "\n\n");
            case BROKEN -> {
                write(out, last.substring(0, last.length() / 2));
                // What a handler throws closes the connection as it is.
                throw new IOException("as the script says");
            }
            case SILENT -> repeat(out, ":\n\n", 20);
            case ENDLESS -> repeat(out, last, 0);
        }
        exchange.close();
    }

    /// Writes until the client has left, which shows in a write that fails.
    private static void repeat(OutputStream out, String text, int pauseMillis) throws IOException {
        while (true) {
            write(out, text);
            try {
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
