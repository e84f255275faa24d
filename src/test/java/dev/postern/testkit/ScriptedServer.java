package dev.postern.testkit;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// An MCP server over standard input and output that does what its script says, good or bad. JDK only, so that it
/// starts fast and everywhere. [Script] writes scripts; the one argument is the script's text, or `@` and a file.
///
/// One directive a line; `#` starts a comment line. `METHOD` may end in `#2` for the second request of that
/// method only; `call:NAME` stands for `tools/call` of that tool. Several `on` lines of one trigger run in order.
///
/// | Directive | Effect |
/// |---|---|
/// | `era both` / `legacy` / `modern` | which requests open a conversation (default both) |
/// | `version V` | what `initialize` answers; default: what was asked for |
/// | `versions V,V` | what `server/discover` lists (default 2026-07-28) |
/// | `instructions TEXT` | sent with the opening answer |
/// | `tool NAME` | lists a built-in tool; see [#call] |
/// | `definition JSON` | lists this raw definition; a call to it echoes its arguments |
/// | `page N` | tools a page |
/// | `cursor same` / `endless` / `empty` | `nextCursor` never ends, repeating or fresh; or is `""` once |
/// | `record FILE` | appends each line received, then `#eof`, `#term` when they happen |
/// | `eof ignore`, `term ignore` | lives on after the end of standard input, or SIGTERM |
/// | `reads never` | standard input is not read at all |
/// | `at start STEP`, `at eof STEP`, `at term STEP` | what happens then |
/// | `on METHOD STEP` | what happens instead of the usual answer |
///
/// Steps: `answer`, `nothing`, `result JSON`, `error CODE TEXT`, `raw TEXT` (a line; `$id` is the request's id),
/// `bytes TEXT` (no line feed added; escapes `\n \r \t \\ \xNN`), `noise N TEXT`, `endless N` (bytes without a
/// line feed, `forever` for N allowed), `drip MILLIS TEXT` (a byte at a time, escapes as above), `notify N METHOD`,
/// `ask METHOD` (a request of the server), `stderr N` (bytes, in lines), `say TEXT` (a line on standard error),
/// `sleep MILLIS`, `exit N`, `signal NAME`, `close stdout` / `stderr`, `spawn plain` / `session` / `daemon` /
/// `bare-daemon` (the last clears its environment; all keep the pipes), `hang`.
public final class ScriptedServer {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static final FileOutputStream ERR = new FileOutputStream(FileDescriptor.err);
    private static final String MODERN = "2026-07-28";
    private static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";
    /// Exit codes from here on ask the shell around us to end itself by a signal ([Script#command]).
    static final int SIGNAL_BASE = 200;

    private final Map<String, String> settings = new HashMap<>();
    private final List<String> tools = new ArrayList<>();
    private final Map<String, List<String>> steps = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private boolean handshake;
    private int endlessPage;

    private ScriptedServer(String script) {
        for (String line : script.split("\n", -1)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                directive(line.strip());
            }
        }
    }

    /// Runs the script until standard input ends, or a step ends it.
    public static void main(String... args) throws IOException {
        String script = args[0].startsWith("@") ? Files.readString(Path.of(args[0].substring(1))) : args[0];
        new ScriptedServer(script).run();
    }

    private void directive(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "tool" -> tools.add(definition(words[1]));
            case "definition" -> tools.add(line.substring("definition ".length()));
            case "at", "on" ->
                steps.computeIfAbsent(words[0] + " " + words[1], k -> new ArrayList<>())
                        .add(words[2]);
            case "era", "version", "versions", "instructions", "page", "cursor", "record", "eof", "term", "reads" ->
                settings.put(words[0], line.substring(words[0].length() + 1));
            default -> throw new IllegalArgumentException("unknown directive: " + line);
        }
    }

    private void run() throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::terminated));
        perform(steps.get("at start"), null);
        if ("never".equals(settings.get("reads"))) {
            hang();
        }
        InputStream in = new FileInputStream(FileDescriptor.in);
        byte[] buffer = new byte[65_536];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            for (int i = 0; i < n; i++) {
                if (buffer[i] != '\n') {
                    line.write(buffer[i]);
                } else {
                    received(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                }
            }
        }
        record("#eof");
        perform(steps.get("at eof"), null);
        if ("ignore".equals(settings.get("eof"))) {
            hang();
        }
        Runtime.getRuntime().halt(0);
    }

    private void terminated() {
        record("#term");
        perform(steps.get("at term"), null);
        if ("ignore".equals(settings.get("term"))) {
            hang();
        }
    }

    private void received(String line) {
        record(line);
        Object parsed = new Json(line).document();
        if (!(parsed instanceof Map<?, ?> message) || !(message.get("method") instanceof String method)) {
            return;
        }
        if (method.equals("initialize")) {
            handshake = true;
        }
        List<String> told = scripted(method, message);
        if (method.equals("tools/call")) {
            Thread.ofPlatform().daemon().start(() -> handle(told, message));
        } else {
            handle(told, message);
        }
    }

    private List<String> scripted(String method, Map<?, ?> message) {
        List<String> keys = new ArrayList<>();
        if (method.equals("tools/call") && message.get("params") instanceof Map<?, ?> params) {
            keys.add("call:" + params.get("name"));
        }
        keys.add(method);
        List<String> found = null;
        for (String key : keys) {
            int count = seen.merge(key, 1, Integer::sum);
            if (found == null) {
                found = steps.getOrDefault("on " + key + "#" + count, steps.get("on " + key));
            }
        }
        return found;
    }

    private void handle(List<String> told, Map<?, ?> message) {
        if (told != null) {
            perform(told, message);
        } else if (message.containsKey("id")) {
            answer(message);
        }
    }

    private void perform(List<String> told, Map<?, ?> request) {
        if (told != null) {
            for (String step : told) {
                perform(step, request);
            }
        }
    }

    private void perform(String step, Map<?, ?> request) {
        int space = step.indexOf(' ');
        String verb = space < 0 ? step : step.substring(0, space);
        String rest = space < 0 ? "" : step.substring(space + 1);
        String id = request == null ? "null" : Json.text(request.get("id"));
        switch (verb) {
            case "answer" -> answer(request);
            case "nothing" -> {}
            case "result" -> line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + rest + "}");
            case "error" -> {
                String[] parts = rest.split(" ", 2);
                error(id, Integer.parseInt(parts[0]), parts.length > 1 ? parts[1] : "error", null);
            }
            case "raw" -> line(rest.replace("$id", id));
            case "bytes" -> write(unescape(rest.replace("$id", id)));
            case "noise" -> repeat(rest, this::line);
            case "endless" -> endless(rest);
            case "drip" -> drip(rest.split(" ", 2));
            case "notify" -> repeat(rest, method -> line("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}"));
            case "ask" -> line("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"method\":\"" + rest + "\"}");
            case "stderr" -> stderr(Long.parseLong(rest));
            case "say" -> complain((rest + "\n").getBytes(StandardCharsets.UTF_8));
            case "sleep" -> sleep(Long.parseLong(rest));
            case "exit" -> Runtime.getRuntime().halt(Integer.parseInt(rest));
            case "signal" -> Runtime.getRuntime().halt(SIGNAL_BASE + signalNumber(rest));
            case "close" -> close(rest);
            case "spawn" -> spawn(rest);
            case "hang" -> hang();
            default -> throw new IllegalArgumentException("unknown step: " + step);
        }
    }

    private void answer(Map<?, ?> request) {
        String id = Json.text(request.get("id"));
        String method = (String) request.get("method");
        Map<?, ?> params = request.get("params") instanceof Map<?, ?> map ? map : Map.of();
        String era = settings.getOrDefault("era", "both");
        if (method.equals("initialize")) {
            if (era.equals("modern")) {
                error(id, -32601, "Method not found", null);
            } else {
                initialize(id, params);
            }
            return;
        }
        if (!handshake) {
            if (era.equals("legacy")) {
                error(id, -32601, "Method not found", null);
                return;
            }
            Object version = params.get("_meta") instanceof Map<?, ?> meta ? meta.get(META_VERSION) : null;
            if (!(version instanceof String asked)) {
                error(id, -32602, "params._meta lacks " + META_VERSION, null);
                return;
            }
            if (!List.of(versions()).contains(asked)) {
                error(
                        id,
                        -32022,
                        "Unsupported protocol version",
                        "{\"supported\":" + supported() + ",\"requested\":" + Json.text(asked) + "}");
                return;
            }
        }
        switch (method) {
            case "server/discover" -> discover(id);
            case "ping" -> result(id, "");
            case "tools/list" -> list(id, params.get("cursor"));
            case "tools/call" -> call(id, params);
            default -> error(id, -32601, "Method not found", null);
        }
    }

    private void initialize(String id, Map<?, ?> params) {
        Object asked = params.get("protocolVersion");
        String version = settings.getOrDefault("version", asked instanceof String text ? text : "2025-11-25");
        result(
                id,
                "\"protocolVersion\":" + Json.text(version) + ",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}" + instructions());
    }

    private void discover(String id) {
        if (handshake) {
            error(id, -32601, "Method not found", null);
            return;
        }
        result(
                id,
                "\"supportedVersions\":" + supported() + ",\"capabilities\":{\"tools\":{}},\"ttlMs\":60000,"
                        + "\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"
                        + "{\"name\":\"scripted\",\"version\":\"1\"}}" + instructions());
    }

    private String instructions() {
        String text = settings.get("instructions");
        return text == null ? "" : ",\"instructions\":" + Json.text(text);
    }

    private String[] versions() {
        return settings.getOrDefault("versions", MODERN).split(",", -1);
    }

    private String supported() {
        return "[\"" + String.join("\",\"", versions()) + "\"]";
    }

    private void list(String id, Object cursor) {
        String loop = settings.get("cursor");
        int from = cursor instanceof String text && !text.isEmpty() && loop == null ? Integer.parseInt(text) : 0;
        int page = Integer.parseInt(settings.getOrDefault("page", "1000000"));
        String next = null;
        List<String> listed = tools;
        if (loop == null) {
            int to = Math.min(tools.size(), from + page);
            listed = tools.subList(from, to);
            next = to < tools.size() ? Integer.toString(to) : null;
        } else {
            next = switch (loop) {
                case "same" -> "again";
                case "empty" -> cursor == null ? "" : null;
                default -> "page-" + ++endlessPage;
            };
            listed = cursor == null ? tools : List.of();
        }
        result(
                id,
                "\"tools\":[" + String.join(",", listed) + "]"
                        + (next == null ? "" : ",\"nextCursor\":" + Json.text(next))
                        + (handshake ? "" : ",\"ttlMs\":60000,\"cacheScope\":\"private\""));
    }

    /// The built-in tools: `echo {text}`, `add {a, b}`, `fail {text?}` (isError), `slow {millis}`, `big {bytes}`,
    /// `structured {value}` (has an output schema), `env` (its environment as structured JSON), `getenv {name}`,
    /// `where` (pid, working directory), `image`, `hunt {text}` (pids whose readable environment holds the text),
    /// `nocontent`.
    private void call(String id, Map<?, ?> params) {
        String name = String.valueOf(params.get("name"));
        Map<?, ?> arguments = params.get("arguments") instanceof Map<?, ?> map ? map : Map.of();
        switch (name) {
            case "add" -> text(id, sum(arguments.get("a"), arguments.get("b")));
            case "fail" -> content(id, String.valueOf(arguments.get("text")), ",\"isError\":true");
            case "slow" -> {
                sleep(Long.parseLong(String.valueOf(arguments.get("millis"))));
                text(id, "done");
            }
            case "big" -> text(id, "x".repeat(Integer.parseInt(String.valueOf(arguments.get("bytes")))));
            case "structured" -> content(id, "see structuredContent", ",\"structuredContent\":" + Json.text(arguments));
            case "env" -> {
                String environment = Json.text(new LinkedHashMap<>(System.getenv()));
                content(id, environment, ",\"structuredContent\":" + environment);
            }
            case "getenv" -> text(id, String.valueOf(System.getenv(String.valueOf(arguments.get("name")))));
            case "where" ->
                text(id, ProcessHandle.current().pid() + " " + Path.of("").toAbsolutePath());
            case "hunt" -> text(id, hunt(String.valueOf(arguments.get("text"))));
            case "image" ->
                result(id, "\"content\":[{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}]");
            case "nocontent" -> result(id, "\"other\":1");
            case "echo" -> text(id, String.valueOf(arguments.get("text")));
            default -> {
                if (String.join("", tools).contains("\"name\":" + Json.text(name))) {
                    text(id, Json.text(arguments));
                } else {
                    error(id, -32602, "Unknown tool: " + name, null);
                }
            }
        }
    }

    private static String sum(Object a, Object b) {
        return new java.math.BigDecimal(String.valueOf(a))
                .add(new java.math.BigDecimal(String.valueOf(b)))
                .toPlainString();
    }

    private static String definition(String name) {
        String properties = switch (name) {
            case "add" -> "\"a\":{\"type\":\"number\"},\"b\":{\"type\":\"number\"}";
            case "slow" -> "\"millis\":{\"type\":\"integer\"}";
            case "big" -> "\"bytes\":{\"type\":\"integer\"}";
            case "structured" -> "\"value\":{}";
            case "getenv" -> "\"name\":{\"type\":\"string\"}";
            case "echo", "fail", "hunt" -> "\"text\":{\"type\":\"string\"}";
            default -> "";
        };
        String required = switch (name) {
            case "add" -> "\"a\",\"b\"";
            case "slow" -> "\"millis\"";
            case "big" -> "\"bytes\"";
            case "getenv" -> "\"name\"";
            case "echo", "hunt" -> "\"text\"";
            default -> "";
        };
        String output = name.equals("structured")
                ? ",\"outputSchema\":{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"integer\"}},"
                        + "\"required\":[\"value\"]}"
                : "";
        return "{\"name\":\"" + name + "\",\"description\":\"The scripted tool " + name + "\",\"inputSchema\":"
                + "{\"type\":\"object\",\"properties\":{" + properties + "},\"required\":[" + required
                + "],\"additionalProperties\":false}" + output + "}";
    }

    private static String hunt(String text) {
        List<String> found = new ArrayList<>();
        String[] names = new File("/proc").list();
        for (String name : names == null ? new String[0] : names) {
            if (environ(name).contains(text)) {
                found.add(name);
            }
        }
        return found.toString();
    }

    private static String environ(String pid) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc", pid, "environ")), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private void text(String id, String text) {
        content(id, text, "");
    }

    private void content(String id, String text, String more) {
        result(id, "\"content\":[{\"type\":\"text\",\"text\":" + Json.text(text) + "}]" + more);
    }

    private void result(String id, String members) {
        String type = handshake ? "" : "\"resultType\":\"complete\"";
        String comma = type.isEmpty() || members.isEmpty() ? "" : ",";
        line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{" + type + comma + members + "}}");
    }

    private void error(String id, int code, String message, String data) {
        line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":" + Json.text(message)
                + (data == null ? "" : ",\"data\":" + data) + "}}");
    }

    private void line(String text) {
        write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static synchronized void write(byte[] bytes) {
        try {
            OUT.write(bytes);
        } catch (IOException e) {
            Runtime.getRuntime().halt(77);
        }
    }

    private static void complain(byte[] bytes) {
        try {
            ERR.write(bytes);
        } catch (IOException e) {
            Runtime.getRuntime().halt(78);
        }
    }

    private interface TextSink {
        void accept(String text);
    }

    private static void repeat(String rest, TextSink sink) {
        String[] parts = rest.split(" ", 2);
        int count = Integer.parseInt(parts[0]);
        for (int i = 0; i < count; i++) {
            sink.accept(parts.length > 1 ? parts[1] : "");
        }
    }

    private static void endless(String count) {
        long left = count.equals("forever") ? Long.MAX_VALUE : Long.parseLong(count);
        byte[] chunk = "x".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
        while (left > 0) {
            int now = (int) Math.min(chunk.length, left);
            write(now == chunk.length ? chunk : Arrays.copyOf(chunk, now));
            left -= now;
        }
    }

    private static void drip(String[] parts) {
        for (byte b : unescape(parts[1])) {
            write(new byte[] {b});
            sleep(Long.parseLong(parts[0]));
        }
    }

    private static void stderr(long bytes) {
        byte[] chunk = ("e".repeat(127) + "\n").repeat(512).getBytes(StandardCharsets.US_ASCII);
        for (long left = bytes; left > 0; left -= chunk.length) {
            complain(left >= chunk.length ? chunk : Arrays.copyOf(chunk, (int) left));
        }
    }

    private static void close(String which) {
        try {
            (which.equals("stdout") ? OUT : ERR).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a process that sleeps for some minutes and keeps our pipes open.
    private static void spawn(String kind) {
        List<String> command = switch (kind) {
            case "plain" -> List.of("sleep", "300");
            case "session" -> List.of("setsid", "sleep", "300");
            case "daemon" -> List.of("sh", "-c", "setsid sleep 300 & exit 0");
            case "bare-daemon" -> List.of("sh", "-c", "env -i sleep 300 & exit 0");
            default -> throw new IllegalArgumentException(kind);
        };
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (kind.endsWith("daemon")) {
                process.waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int signalNumber(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "ABRT" -> 6;
            case "KILL" -> 9;
            case "SEGV" -> 11;
            case "PIPE" -> 13;
            case "TERM" -> 15;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static byte[] unescape(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\') {
                out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            char escape = text.charAt(i++);
            switch (escape) {
                case 'n' -> out.write('\n');
                case 'r' -> out.write('\r');
                case 't' -> out.write('\t');
                case 'x' -> {
                    out.write(Integer.parseInt(text, i, i + 2, 16));
                    i += 2;
                }
                default -> out.write(escape);
            }
        }
        return out.toByteArray();
    }

    private void record(String line) {
        String file = settings.get("record");
        if (file == null) {
            return;
        }
        try {
            Files.writeString(Path.of(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hang() {
        try {
            new CountDownLatch(1).await(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// As much JSON as a server needs: reads well-formed documents, keeps numbers as they were written.
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        /// The document, or null when it is none.
        Object document() {
            try {
                return value();
            } catch (RuntimeException e) {
                return null;
            }
        }

        private record Raw(String text) {
            @Override
            public String toString() {
                return text;
            }
        }

        private Object value() {
            blank();
            char c = text.charAt(at);
            if (c == '{') {
                return object();
            }
            if (c == '[') {
                return array();
            }
            if (c == '"') {
                return string();
            }
            int from = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (from == at) {
                throw new IllegalArgumentException(text);
            }
            return new Raw(text.substring(from, at));
        }

        private Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            at++;
            for (blank(); text.charAt(at) != '}'; blank()) {
                String key = string();
                blank();
                at++;
                map.put(key, value());
                blank();
                if (text.charAt(at) == ',') {
                    at++;
                }
            }
            at++;
            return map;
        }

        private List<Object> array() {
            List<Object> list = new ArrayList<>();
            at++;
            for (blank(); text.charAt(at) != ']'; blank()) {
                list.add(value());
                blank();
                if (text.charAt(at) == ',') {
                    at++;
                }
            }
            at++;
            return list;
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            at++;
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c != '\\') {
                    out.append(c);
                    continue;
                }
                char escape = text.charAt(at++);
                switch (escape) {
                    case 'n' -> out.append('\n');
                    case 'r' -> out.append('\r');
                    case 't' -> out.append('\t');
                    case 'b' -> out.append('\b');
                    case 'f' -> out.append('\f');
                    case 'u' -> {
                        out.append((char) Integer.parseInt(text, at, at + 4, 16));
                        at += 4;
                    }
                    default -> out.append(escape);
                }
            }
            return out.toString();
        }

        private void blank() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        static String text(Object value) {
            return switch (value) {
                case null -> "null";
                case String string -> quote(string);
                case Map<?, ?> map -> {
                    List<String> members = new ArrayList<>();
                    map.forEach((k, v) -> members.add(quote(String.valueOf(k)) + ":" + text(v)));
                    yield "{" + String.join(",", members) + "}";
                }
                case List<?> list -> {
                    List<String> items = new ArrayList<>();
                    list.forEach(item -> items.add(text(item)));
                    yield "[" + String.join(",", items) + "]";
                }
                default -> value.toString();
            };
        }

        private static String quote(String string) {
            StringBuilder out = new StringBuilder("\"");
            for (int i = 0; i < string.length(); i++) {
                char c = string.charAt(i);
                if (c == '"' || c == '\\') {
                    out.append('\\').append(c);
                } else if (c < ' ') {
                    String hex = Integer.toHexString(c);
                    out.append("\\u").append("0000", 0, 4 - hex.length()).append(hex);
                } else {
                    out.append(c);
                }
            }
            return out.append('"').toString();
        }
    }
}
