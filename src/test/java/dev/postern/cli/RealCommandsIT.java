package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ProcessIdentity;
import dev.postern.demo.DemoServer;
import dev.postern.natives.ProcessTable;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Whole commands as processes, with the real host and the real demo server, through real pipes.
@ExtendWith(LeavesNothingBehind.class)
class RealCommandsIT {
    private static final int BIG = 600_000;

    @TempDir
    Path temporary;

    private Path data = Path.of("");
    private Path scratch = Path.of("");

    @BeforeEach
    void makeDirectories() throws IOException {
        scratch = Files.createDirectory(temporary.resolve("tmp"));
        data = Files.createDirectory(temporary.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        var config = JsonNodeFactory.instance.objectNode();
        var command = DemoServer.command();
        var server = config.putArray("mcpServers").addObject();
        server.put("id", "demo").put("enabled", true).put("command", command.getFirst());
        server.set("args", ServerText.strings(command.subList(1, command.size())));
        server.set("tools", ServerText.strings(List.of("echo", "slow")));
        server.putObject("limits")
                .put("argumentBytes", 1 << 20)
                .put("resultBytes", 1 << 20)
                .put("frameBytes", 4 << 20);
        server.putObject("timeouts").put("startup", "1m").put("call", "1m");
        Files.writeString(data.resolve("config.json"), config.toString());
    }

    @Test
    @Tag("CLI-7")
    @Tag("SEC-5")
    void showsEverythingAndLeavesNothingBehind() throws Exception {
        var process = start(List.of("quickstart"));

        var out = text(process.getInputStream());
        var err = text(process.getErrorStream());

        assertThat(process.waitFor()).as(out + err).isZero();
        assertThat(out)
                .contains(
                        "postern call demo add a=2 b=40\n42\n",
                        "Refused before anything was sent",
                        "The token I was given is [redacted:demo-token].",
                        "server-filesystem");
        assertThat(out).contains("\"delete_everything\"", "A secret was redacted");
        assertThat(err).isEmpty();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    @Tag("CLI-7")
    void leavesNothingBehindWhenStoppedInTheMiddle() throws Exception {
        var process = start(List.of("quickstart"));
        readUntil(process.getInputStream(), "postern mcp discover demo");

        process.toHandle().destroy();

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isIn(0, 130);
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    @Tag("CLI-5")
    @Tag("CAL-2")
    void endsWith130AndOneObjectWhenStoppedDuringACall() throws Exception {
        var before = LeavesNothingBehind.instances("");
        var process = start(List.of("call", "demo", "slow", "seconds=50", "--json"));
        await().atMost(Duration.ofMinutes(1)).until(() -> serversSince(before), server -> server);

        process.toHandle().destroy();
        var out = text(process.getInputStream());

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(out.lines()).hasSize(1);
    }

    @Test
    @Tag("P13")
    @Tag("PRC-3")
    void endsEverythingOfStubbornServerWhenStopped() throws Exception {
        var script = Script.behaving()
                .ignoresEof()
                .ignoresTerm()
                .atStart("spawn plain")
                .atStart("spawn session")
                .atStart("spawn daemon");
        var config = JsonNodeFactory.instance.objectNode();
        var server = config.putArray("mcpServers").addObject();
        server.put("id", "stubborn").put("enabled", true).put("command", script.command());
        server.set("args", ServerText.strings(script.args()));
        server.set("tools", ServerText.strings(List.of("slow")));
        var run = UUID.randomUUID().toString();
        server.putObject("environment").putObject("RUN").put("value", run);
        server.putObject("timeouts").put("startup", "1m").put("call", "1m").put("close", "2s");
        Files.writeString(data.resolve("config.json"), config.toString());
        var process = start(List.of("call", "stubborn", "slow", "{\"millis\": 50000}"));
        await().atMost(Duration.ofMinutes(1)).until(() -> processesOf(run, "sleep\000300\0") == 3);

        process.toHandle().destroy();

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(processesOf(run, "")).isZero();
    }

    /// How many processes have `run` in their environment, and a command line that begins like this.
    private static long processesOf(String run, String command) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    try {
                        var directory = Path.of("/proc", Long.toString(process.pid()));
                        return Files.readString(directory.resolve("environ"), StandardCharsets.ISO_8859_1)
                                        .contains("RUN=" + run)
                                && Files.readString(directory.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                                        .startsWith(command);
                    } catch (IOException gone) {
                        return false;
                    }
                })
                .count();
    }

    @Test
    @Tag("P14")
    @Tag("PRC-4")
    void sweepsWhatKilledHostLeftBeforeItStartsServer() throws Exception {
        var builder = new ProcessBuilder("sleep", "300");
        builder.environment().put("POSTERN_INSTANCE", "0ddba11");
        var left = builder.start();
        var own = ProcessTable.own();
        var run = Files.createDirectory(data.resolve("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
        // Killed before it could write down which process it had started.
        var owner = new ProcessIdentity(own.pid(), own.started() + 1, own.boot(), own.space());
        var entry = Files.writeString(
                run.resolve("instance-0ddba11"),
                "postern-instance 1\nserver demo\nowner " + owner.text() + "\nmarker 0ddba11\n");

        var status = start(List.of("mcp", "status", "--json"));
        assertThat(text(status.getErrorStream())).isEmpty();
        var doctor = start(List.of("doctor"));
        assertThat(text(doctor.getInputStream()))
                .contains("left processes of the server \"demo\" behind: [" + left.pid());
        assertThat(left.isAlive()).isTrue();
        var call = start(List.of("call", "demo", "echo", "text=hi", "--json"));

        assertThat(text(call.getInputStream()).lines())
                .singleElement()
                .asString()
                .contains("\"succeeded\"");
        assertThat(text(call.getErrorStream()))
                .isEqualTo("note: Ended 1 process that a killed Postern left behind (server demo, pids " + left.pid()
                        + ").\n");
        assertThat(left.waitFor()).isEqualTo(137);
        assertThat(entry).doesNotExist();
    }

    @Test
    @Tag("CLI-6")
    void writesEverythingIntoASlowPipeBeforeItEnds() throws Exception {
        var process = start(List.of("call", "demo", "echo", "-i", bigArguments().toString()));
        var out = new StringBuilder();
        try (var in = process.getInputStream()) {
            for (var part = in.readNBytes(777); part.length > 0; part = in.readNBytes(777)) {
                out.append(new String(part, StandardCharsets.US_ASCII));
            }
        }

        assertThat(process.waitFor()).isZero();
        assertThat(out).hasSize(BIG + 1).endsWith("x\n");
    }

    @Test
    @Tag("CLI-6")
    void endsQuietlyWhenItsReaderGoesAway() throws Exception {
        var process = start(List.of("call", "demo", "echo", "-i", bigArguments().toString()));
        try (var in = process.getInputStream()) {
            assertThat(in.read()).isEqualTo('x');
        }

        assertThat(text(process.getErrorStream())).isEmpty();
        assertThat(process.waitFor()).isZero();
    }

    private static boolean serversSince(List<String> before) {
        return LeavesNothingBehind.instances("").stream()
                .anyMatch(line -> !before.contains(line) && line.contains(DemoServer.class.getName()));
    }

    private Path bigArguments() throws IOException {
        return Files.writeString(temporary.resolve("big.json"), "{\"text\":\"" + "x".repeat(BIG) + "\"}");
    }

    @Test
    @Tag("MDL-1")
    void loadNothingOfAModelUnlessTheyChat() throws Exception {
        var configured = Files.readString(data.resolve("config.json"))
                .replaceFirst("\\{", "{\"model\":{\"provider\":\"openai\",\"name\":\"m\"},");
        Files.writeString(data.resolve("config.json"), configured);
        for (var words : List.of("mcp status", "call demo echo text=hi", "doctor")) {
            var log = scratch.resolve("loaded.log");
            var process = start(List.of(words.split(" ")), "-Xlog:class+load:file=" + log);
            var out = text(process.getInputStream());
            assertThat(process.waitFor()).as(out).isIn(0, 1);

            assertThat(Files.readString(log))
                    .contains("dev.postern.config.ModelSettings ")
                    .doesNotContain("dev.langchain4j.", "com.knuddels.", "jdk.internal.net.http.HttpClientImpl");
        }
    }

    private Process start(List<String> words, String... options) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.add("-Djava.io.tmpdir=" + scratch);
        // As the launcher does.
        command.add("-Dpostern.sqlite=" + System.getProperty("postern.sqlite"));
        command.add("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
        command.add("-Dslf4j.internal.verbosity=ERROR");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.postern.app.Main"));
        command.addAll(words);
        var builder = new ProcessBuilder(command);
        builder.environment().put("POSTERN_DATA_DIR", data.toString());
        return builder.redirectInput(new File("/dev/null")).start();
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void readUntil(InputStream stream, String words) throws IOException {
        var seen = new StringBuilder();
        while (seen.indexOf(words) < 0) {
            int next = stream.read();
            assertThat(next).as("the output ended: " + seen).isNotNegative();
            seen.append((char) next);
        }
    }
}
