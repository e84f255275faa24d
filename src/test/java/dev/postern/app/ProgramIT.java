package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The packaged program, as a shell starts it.
@ExtendWith(LeavesNothingBehind.class)
class ProgramIT {
    private static final Path LAUNCHER = Path.of(System.getProperty("postern.launcher", "deploy/postern"));

    @TempDir
    private Path dir;

    /// What servers write: they don't see the data directory.
    @TempDir
    private Path aside;

    @BeforeEach
    void makesTheDirectoryOurs() throws IOException {
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
    }

    private ScriptRun postern(String... words) {
        var command = new Object[words.length + 1];
        command[0] = LAUNCHER;
        System.arraycopy(words, 0, command, 1, words.length);
        return ScriptRun.of(command)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .with("HOME", System.getenv("HOME"));
    }

    private void configure(Script script, String more) throws IOException {
        var config = JsonNodeFactory.instance.objectNode();
        var servers = config.putArray("mcpServers");
        for (var id : List.of("s", "off")) {
            var server = servers.addObject();
            server.put("id", id).put("enabled", id.equals("s")).put("command", script.command());
            script.args().forEach(server.putArray("args")::add);
            server.putArray("tools")
                    .add("echo")
                    .add("add")
                    .add("fail")
                    .add("ghost")
                    .add("big");
            if (!more.isEmpty()) {
                server.setAll((ObjectNode) json(more));
            }
        }
        Files.writeString(dir.resolve("config.json"), config.toPrettyString());
    }

    private static JsonNode json(String text) {
        return switch (StrictJson.parse(text)) {
            case StrictJson.Valid valid -> valid.value();
            case StrictJson.Malformed malformed -> throw new AssertionError(malformed.describe() + ": " + text);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; call s echo text=hi",
                "0; call s add {\"a\":1,\"b\":2}",
                "2; call nobody echo",
                "2; call s echo {\"text\":",
                "2; call s",
                "2; no-such-command",
                "5; call s fail text=no",
                "7; call s delete",
                "7; call off echo text=hi",
                "7; call s ghost",
                "7; call s add a=1",
                "0; mcp status",
                "0; mcp servers",
                "0; mcp tools s",
                "0; mcp discover s",
                "7; mcp tools off",
                "0; config check"
            })
    @Tag("CLI-5")
    @Tag("CLI-8")
    void endsWithTheCodeOfTheTableAndOneObjectOnStandardOutput(int code, String line) throws IOException {
        configure(Script.behaving(), "");

        var plain = postern(line.split(" ")).run();
        var object = postern(("--json " + line).split(" ")).run();

        assertThat(plain.exit()).as(plain.err()).isEqualTo(code);
        assertThat(object.exit()).as(object.err()).isEqualTo(code);
        assertThat(json(object.out()).isObject()).isTrue();
        if (code != 0) {
            assertThat(plain.err()).isNotBlank().doesNotContain("Exception", "\tat ");
        }
    }

    @Test
    @Tag("CLI-5")
    @Tag("CFG-1")
    void endsWith3AndStartsNothingWhenTheConfigurationIsWrong() throws IOException {
        var record = aside.resolve("record");
        configure(Script.behaving().record(record), "{\"tool\":[]}");

        var ended = postern("call", "s", "echo", "text=hi").run();

        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err()).contains("config.json:", "/mcpServers/0/tool", "\"tools\"");
        assertThat(record).doesNotExist();
    }

    @Test
    @Tag("CLI-5")
    void endsWith4WhenTheServerCannotStartAnd6WhenTheOutcomeIsUnknown() throws IOException {
        configure(Script.behaving().atStart("exit 3"), "");
        var notSent = postern("call", "s", "echo", "text=hi").run();
        assertThat(notSent.exit()).isEqualTo(4);
        assertThat(notSent.err()).contains("exit code 3", "--show-stderr");

        configure(Script.behaving().on("call:echo", "exit 1"), "");
        var unknown = postern("call", "s", "echo", "text=hi").run();
        assertThat(unknown.exit()).isEqualTo(6);
        assertThat(unknown.err()).contains("may have done it");
    }

    @Test
    @Tag("CLI-9")
    void passesArgumentsWholeInTheCLocale() throws IOException {
        configure(Script.behaving(), "");

        var ended = postern("call", "s", "echo", "text=é😀").with("LC_ALL", "C").run();

        assertThat(ended.out()).isEqualTo("é😀\n");
    }

    @Test
    @Tag("CLI-5")
    @Tag("WIR-7")
    void settlesTheCallAndStopsTheServerOnCtrlC() throws Exception {
        var record = aside.resolve("record");
        configure(Script.behaving().era("legacy").record(record).on("call:echo", "nothing"), "");
        var started = postern("call", "s", "echo", "text=hi").start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(record) && Files.readString(record).contains("tools/call"));

        // ProcessHandle knows no SIGINT.
        assertThat(new ProcessBuilder(
                                "kill", "-INT", Long.toString(started.process().pid()))
                        .start()
                        .waitFor())
                .isZero();

        assertThat(started.end().exit()).isEqualTo(130);
        assertThat(Files.readString(record)).contains("notifications/cancelled");
    }

    @Test
    @Tag("CLI-6")
    void writesTenMegabytesIntoASlowPipeWhole() throws Exception {
        configure(Script.behaving().tool("big"), "{\"limits\":{\"resultBytes\":1048576,\"frameBytes\":16777216}}");
        var command = "for i in 1 2 3 4 5 6 7 8 9 10; do \"$0\" call s big bytes=1000000; done" + " | (sleep 1; wc -c)";

        var ended = ScriptRun.of("/bin/sh", "-c", command, LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();

        assertThat(ended.out().strip()).isEqualTo("10000010");
    }

    @Test
    @Tag("CLI-6")
    void endsQuietlyWhenItsReaderHasGone() throws Exception {
        configure(Script.behaving().tool("big"), "{\"limits\":{\"resultBytes\":1048576,\"frameBytes\":16777216}}");

        var ended = ScriptRun.of("/bin/sh", "-c", "\"$0\" call s big bytes=1000000 | head -c 5", LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();

        assertThat(ended.out()).isEqualTo("xxxxx");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    @Tag("CLI-7")
    void quickstartMakesItsDirectoryWhereItIsToldTo() throws Exception {
        var ended = postern("quickstart").with("TMPDIR", dir + "/missing").run();

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).contains(dir + "/missing", "Set TMPDIR");
    }

    @Test
    @Tag("CLI-7")
    void quickstartShowsEverythingAndLeavesNothingBehind() throws Exception {
        var temporary = Files.createDirectory(dir.resolve("tmp"));

        var ended = postern("quickstart")
                .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary)
                .run();

        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out())
                .contains("config.json", "delete_everything", "[redacted:demo-token]", "42", "server-filesystem");
        assertThat(ended.out()).contains("Nothing was sent");
        try (var left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
        assertThat(dir.resolve("config.json")).doesNotExist();
    }

    @Test
    @Tag("SEC-6")
    @Tag("SEC-5")
    void takesASecretFromStandardInputAndNeverShowsIt() throws Exception {
        configure(
                Script.behaving().tool("getenv"),
                "{\"environment\":{\"KEY\":{\"credential\":\"key\"}},\"tools\":[\"getenv\"]}");
        var set = ScriptRun.of("/bin/sh", "-c", "printf %s s3cret-value-1 | \"$0\" credential set key", LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();
        assertThat(set.exit()).as(set.err()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("auth/key.json"))))
                .isEqualTo("rw-------");

        var called = postern("call", "s", "getenv", "name=KEY").run();
        var listed = postern("credential", "list").run();

        assertThat(called.out()).isEqualTo("[redacted:key]\n");
        assertThat(listed.out() + listed.err() + called.err()).contains("key").doesNotContain("s3cret");
        assertThat(postern("credential", "remove", "key").run().exit()).isZero();
        var without = postern("call", "s", "getenv", "name=KEY").run();
        assertThat(without.exit()).isEqualTo(4);
        assertThat(without.err()).contains("key", "credential set key");
    }

    @Test
    @Tag("CAT-5")
    @Tag("T35")
    void neverLetsARawEscapeReachTheTerminal() throws Exception {
        var evil = "\\u001b]0;owned\\u0007\\u202e\\u001b[31mred";
        var definition = "{\"name\":\"evil\",\"description\":\"" + evil + "\",\"inputSchema\":{\"type\":\"object\"}}";
        var script = Script.behaving()
                .definition(definition)
                .on("call:evil", "result {\"content\":[{\"type\":\"text\",\"text\":\"" + evil + "\"}]}")
                .on("call:echo", "error -1 \u001b[31mred");
        configure(script, "{\"tools\":[\"evil\",\"echo\"]}");

        for (var line : List.of("mcp tools s", "mcp discover s", "call s evil", "call s echo text=x", "mcp status")) {
            var ended = postern(line.split(" ")).run();

            assertThat(ended.out() + ended.err()).as(line).doesNotContain("\u001b", "\u202e", "\u0007");
        }
    }

    @Test
    @Tag("CLI-3")
    void refusesBytesThatAreNotUtf8InsteadOfChangingThem() throws Exception {
        var record = aside.resolve("record");
        configure(Script.behaving().record(record), "");

        var ended = ScriptRun.of("/bin/sh", "-c", "\"$0\" call s echo \"text=$(printf '\\351')\"", LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("not UTF-8");
        assertThat(record).doesNotExist();
    }

    @Test
    @Tag("CLI-9")
    void readsNothingWhenStandardInputIsClosedAndFailsWhenStandardOutputIs() throws Exception {
        configure(Script.behaving(), "");

        var input = ScriptRun.of("/bin/sh", "-c", "\"$0\" call s add -i - <&-", LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();
        assertThat(input.exit()).as(input.err()).isEqualTo(2);

        var output = ScriptRun.of("/bin/sh", "-c", "\"$0\" call s echo text=hi <&- >&-", LAUNCHER)
                .with("POSTERN_DATA_DIR", dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();
        assertThat(output.exit()).as(output.err()).isEqualTo(1);
    }

    @Test
    @Tag("CLI-4")
    void saysSoWhenTheWorkingDirectoryIsGone() throws Exception {
        var ended = ScriptRun.of(
                        "/bin/sh", "-c", "mkdir gone && cd gone && rmdir ../gone && \"$0\" --version", LAUNCHER)
                .in(dir)
                .with("POSTERN_NO_BUILD", "1")
                .run();

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).contains("directory").doesNotContain("Exception", "\tat ");
    }
}
