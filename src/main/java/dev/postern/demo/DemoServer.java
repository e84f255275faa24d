package dev.postern.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Threads;
import dev.postern.base.Version;
import dev.postern.wire.StrictJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// An MCP server over two byte streams, in both eras: revision 2026-07-28 without a handshake, and 2024-11-05
/// to 2025-11-25 with one (https://modelcontextprotocol.io/specification). Calls run side by side on virtual
/// threads.
public final class DemoServer {
    /// The variable that holds the secret which `show_token` gives away.
    public static final String TOKEN_VARIABLE = "DEMO_TOKEN";

    private static final String MODERN = "2026-07-28";
    private static final String NEWEST_LEGACY = "2025-11-25";
    private static final Set<String> LEGACY = Set.of(NEWEST_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05");
    private static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final String META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    private static final int PARSE_ERROR = -32_700;
    private static final int INVALID_REQUEST = -32_600;
    private static final int METHOD_NOT_FOUND = -32_601;
    private static final int INVALID_PARAMS = -32_602;
    private static final int UNSUPPORTED_VERSION = -32_022;

    /// A client that sends longer lines is none of ours.
    private static final int LONGEST_LINE = 16 << 20;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final InputStream in;
    private final OutputStream out;
    private final DemoTools tools;
    private final Map<JsonNode, CountDownLatch> running = new ConcurrentHashMap<>();

    public DemoServer(InputStream in, OutputStream out, @Nullable String token) {
        this.in = new BufferedInputStream(in);
        this.out = out;
        this.tools = new DemoTools(token);
    }

    /// The program of its own that [#command()] starts.
    public static void main(String... args) {
        new DemoServer(System.in, new FileOutputStream(FileDescriptor.out), System.getenv(TOKEN_VARIABLE)).serve();
    }

    /// The command line that starts this server from the running program's own Java and class path, fast.
    public static List<String> command() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto"));
        command.add("-cp");
        var absolute = new ArrayList<String>();
        for (var element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(element).toAbsolutePath().toString());
        }
        command.add(String.join(File.pathSeparator, absolute));
        command.add(DemoServer.class.getName());
        return command;
    }

    /// Answers until the input ends.
    public void serve() {
        try {
            for (var line = line(); line != null; line = line()) {
                if (line.length > 0) {
                    answer(line);
                }
            }
        } catch (IOException e) {
            // The client has gone, and with it the reason to serve.
        } finally {
            running.values().forEach(CountDownLatch::countDown);
        }
    }

    private byte @Nullable [] line() throws IOException {
        var line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            if (line.size() == LONGEST_LINE) {
                throw new IOException("a line of more than " + LONGEST_LINE + " bytes");
            }
            line.write(next);
            next = in.read();
        }
        return line.toByteArray();
    }

    private void answer(byte[] line) throws IOException {
        if (!(StrictJson.parse(line) instanceof StrictJson.Valid(JsonNode message))) {
            fail(NODES.nullNode(), PARSE_ERROR, "not JSON", null);
            return;
        }
        var method = message.path("method").textValue();
        var id = message.get("id");
        if (method == null) {
            if (!message.has("result") && !message.has("error")) {
                fail(NODES.nullNode(), INVALID_REQUEST, "no JSON-RPC message", null);
            }
        } else if (id == null) {
            if (method.equals("notifications/cancelled")) {
                cancel(message.path("params").path("requestId"));
            }
        } else if (!id.isTextual() && !id.isIntegralNumber()) {
            fail(NODES.nullNode(), INVALID_REQUEST, "an id is a string or an integer", null);
        } else {
            request(id, method, message.path("params"));
        }
    }

    private void request(JsonNode id, String method, JsonNode params) throws IOException {
        boolean modern = params.path("_meta").has(META_VERSION);
        if (modern && !supported(id, params.path("_meta"))) {
            return;
        }
        switch (method) {
            case "initialize" -> succeed(id, initialized(params), false);
            case "ping" -> succeed(id, NODES.objectNode(), modern);
            case "server/discover" -> discover(id, modern);
            case "tools/list" -> {
                var result = NODES.objectNode();
                result.set("tools", tools.definitions());
                if (modern) {
                    result.put("ttlMs", 3_600_000).put("cacheScope", "public");
                }
                succeed(id, result, modern);
            }
            case "tools/call" -> call(id, params, modern);
            default -> fail(id, METHOD_NOT_FOUND, "unknown method", null);
        }
    }

    private boolean supported(JsonNode id, JsonNode meta) throws IOException {
        var version = meta.path(META_VERSION).asText();
        if (!version.equals(MODERN)) {
            var data = NODES.objectNode().put("requested", version);
            data.putArray("supported").add(MODERN);
            fail(id, UNSUPPORTED_VERSION, "unsupported protocol version", data);
            return false;
        }
        if (!meta.path(META_CAPABILITIES).isObject()) {
            fail(id, INVALID_PARAMS, META_CAPABILITIES + " is missing", null);
            return false;
        }
        return true;
    }

    private static ObjectNode initialized(JsonNode params) {
        var asked = params.path("protocolVersion").asText();
        var result = NODES.objectNode().put("protocolVersion", LEGACY.contains(asked) ? asked : NEWEST_LEGACY);
        result.putObject("capabilities").putObject("tools");
        result.set("serverInfo", serverInfo());
        return result;
    }

    private void discover(JsonNode id, boolean modern) throws IOException {
        if (!modern) {
            fail(id, INVALID_PARAMS, META_VERSION + " is missing", null);
            return;
        }
        var result = NODES.objectNode();
        result.putArray("supportedVersions").add(MODERN);
        result.putObject("capabilities").putObject("tools");
        result.put("ttlMs", 3_600_000).put("cacheScope", "public");
        result.putObject("_meta").set("io.modelcontextprotocol/serverInfo", serverInfo());
        succeed(id, result, true);
    }

    private static ObjectNode serverInfo() {
        return NODES.objectNode().put("name", "postern-demo").put("version", Version.TEXT);
    }

    private void call(JsonNode id, JsonNode params, boolean modern) throws IOException {
        var name = params.path("name").textValue();
        var arguments = DemoTools.arguments(params);
        if (name == null || arguments == null) {
            fail(id, INVALID_PARAMS, "a call has a name, and an object of arguments", null);
            return;
        }
        var cancelled = new CountDownLatch(1);
        if (running.putIfAbsent(id, cancelled) != null) {
            fail(id, INVALID_REQUEST, "this id is in use", null);
            return;
        }
        Threads.virtual("call", () -> {
            try {
                var result = tools.call(name, arguments, cancelled);
                boolean wanted = running.remove(id) != null;
                if (wanted && result == null) {
                    fail(id, INVALID_PARAMS, "unknown tool", null);
                } else if (wanted && result != null) {
                    succeed(id, result, modern);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("The client has gone", e);
            }
        });
    }

    private void cancel(JsonNode id) {
        var cancelled = running.remove(id);
        if (cancelled != null) {
            cancelled.countDown();
        }
    }

    private void succeed(JsonNode id, ObjectNode result, boolean modern) throws IOException {
        if (modern) {
            result.put("resultType", "complete");
        }
        var message = NODES.objectNode().put("jsonrpc", "2.0");
        message.set("id", id);
        message.set("result", result);
        write(message);
    }

    private void fail(JsonNode id, int code, String text, @Nullable ObjectNode data) throws IOException {
        var message = NODES.objectNode().put("jsonrpc", "2.0");
        message.set("id", id);
        var error = message.putObject("error").put("code", code).put("message", text);
        if (data != null) {
            error.set("data", data);
        }
        write(message);
    }

    private void write(ObjectNode message) throws IOException {
        byte[] text = StrictJson.bytes(message);
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        synchronized (out) {
            out.write(line);
            out.flush();
        }
    }
}
