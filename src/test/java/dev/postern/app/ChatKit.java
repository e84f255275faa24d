package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.app.ScriptRun.Ended;
import dev.postern.catalog.ModelNames;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.Script;
import dev.postern.testkit.ScriptedModel;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// The packaged program over one data directory, and a scripted model that it asks.
final class ChatKit implements AutoCloseable {
    static final String KEY = "sk-canary-0123456789abcdef";

    private static final Path INTEROP =
            Path.of(System.getProperty("postern.interop", "src/test/interop"), "node_modules");

    final ScriptedModel model = ScriptedModel.doing();
    final Path data;
    private final Path dir;
    private final ObjectNode config = JsonNodeFactory.instance.objectNode();
    private final AtomicInteger calls = new AtomicInteger();

    /// @param dir where the data directory is made, and what servers record and read beside it
    ChatKit(Path dir) throws IOException {
        this.dir = dir;
        data = Files.createDirectory(
                dir.resolve("da ta"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        config.putArray("mcpServers");
        provider("openai");
    }

    ChatKit provider(String provider) {
        config.putObject("model")
                .put("provider", provider)
                .put("name", "m-1")
                .put("baseUrl", model.baseUrl().toString());
        return this;
    }

    /// Stores the key as a credential, as its owner would.
    ChatKit keyed() {
        config.withObject("/model").putObject("apiKey").put("credential", "brain");
        var set = ScriptRun.of(
                        "/bin/sh",
                        "-c",
                        "printf %s " + KEY + " | \"$0\" credential set brain",
                        ScriptTree.REAL_LAUNCHER)
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", "1")
                .with("POSTERN_DATA_DIR", data)
                .run();
        assertThat(set.exit()).as("%s", set).isZero();
        return this;
    }

    /// What else `config.json` says.
    ObjectNode config() {
        return config;
    }

    /// Adds a server, of which `tools` are allowed; what is returned may be changed until [#configure].
    ObjectNode server(String id, Script script, String... tools) {
        var entry = server(id, script.command(), script.args());
        var allowed = entry.putArray("tools");
        List.of(tools).forEach(allowed::add);
        return entry;
    }

    private ObjectNode server(String id, String command, List<String> args) {
        var entry = config.withArray("mcpServers").addObject();
        entry.put("id", id).put("enabled", true).put("command", command);
        args.forEach(entry.putArray("args")::add);
        return entry;
    }

    static boolean hasFilesServer() {
        return Files.isDirectory(INTEROP.resolve("@modelcontextprotocol"));
    }

    /// Adds the file server from npm as `files`, over a directory that holds `today.txt`.
    ///
    /// @return the path of that file
    Path files(String text) throws IOException {
        var folder = Files.createDirectory(dir.resolve("notes")).toRealPath();
        var script = INTEROP.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
        var entry = server("files", "node", List.of(script.toAbsolutePath().toString(), folder.toString()));
        entry.putArray("tools").add("read_text_file").add("list_directory");
        entry.putObject("timeouts").put("startup", "1m").put("call", "1m");
        return Files.writeString(folder.resolve("today.txt"), text);
    }

    ChatKit configure() throws IOException {
        Files.writeString(data.resolve("config.json"), config.toPrettyString());
        return this;
    }

    /// A call in the words of a model, which knows a tool by its other name.
    ModelTurn.Answer call(String server, String tool, ObjectNode arguments) {
        return and(ModelTurn.text(), server, tool, arguments);
    }

    ModelTurn.Answer and(ModelTurn.Answer answer, String server, String tool, ObjectNode arguments) {
        var input = JsonNodeFactory.instance.objectNode().put("input", StrictJson.text(arguments));
        return answer.calling("c" + calls.incrementAndGet(), ModelNames.of(server, tool), StrictJson.text(input));
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    ScriptRun postern(Object... words) {
        var command = new Object[words.length + 1];
        command[0] = ScriptTree.REAL_LAUNCHER;
        System.arraycopy(words, 0, command, 1, words.length);
        return environment(ScriptRun.of(command));
    }

    /// What the program needs to know, for a command that starts it.
    ScriptRun environment(ScriptRun run) {
        return run.with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", "1")
                .with("POSTERN_DATA_DIR", data)
                .with("PATH", System.getenv("PATH"))
                .with("HOME", dir);
    }

    /// The lines that a command with `--json` wrote.
    static List<JsonNode> lines(Ended ended) {
        return ended.out().lines().map(WorkerKit::json).toList();
    }

    /// The first id of this kind in a text: `chat`, `run`, `appr`.
    static String id(String kind, String text) {
        var matcher = Pattern.compile("\\b" + kind + "_[0-9a-f-]{36}").matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group();
    }

    /// The one run that is recorded.
    String run() {
        return id("run", postern("--json", "runs", "list").run().out());
    }

    JsonNode session(String id) {
        var shown = postern("--json", "chat", "show", id).run();
        assertThat(shown.exit()).as("%s", shown).isZero();
        return WorkerKit.json(shown.out());
    }

    /// How often a server that records was asked for a call.
    static long received(Path record) throws IOException {
        return Files.exists(record)
                ? Files.readAllLines(record).stream()
                        .filter(line -> line.contains("\"tools/call\""))
                        .count()
                : 0;
    }

    static void signal(long pid, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        model.close();
    }
}
