package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.natives.ProcessTable;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The worker and the packaged program, as a shell starts them.
@ExtendWith(LeavesNothingBehind.class)
class WorkerProgramIT {
    @TempDir
    private Path dir;

    private WorkerKit kit;

    @BeforeAll
    static void makesTheCaches() {
        ScriptRun.of(ScriptTree.REAL_LAUNCHER, "--version")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", true)
                .run();
    }

    @BeforeEach
    void configures() throws IOException {
        kit = new WorkerKit(dir.resolve("da ta")).configure(Script.behaving(), false, "{}");
    }

    @AfterEach
    void endsTheWorker() {
        var _ = postern("worker", "stop").run();
    }

    private ScriptRun bare(Object... words) {
        var command = new Object[words.length + 1];
        command[0] = ScriptTree.REAL_LAUNCHER;
        System.arraycopy(words, 0, command, 1, words.length);
        return ScriptRun.of(command)
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", "1")
                .with("HOME", dir);
    }

    private ScriptRun postern(Object... words) {
        return bare(words).with("POSTERN_DATA_DIR", kit.data);
    }

    private static String owner(ScriptRun status) {
        Ended ran = status.run();
        assertThat(ran.exit()).as("%s", ran).isZero();
        return WorkerKit.json(ran.out()).path("owner").asText();
    }

    private static List<Path> units(Path config) throws IOException {
        try (var files = Files.list(config.resolve("systemd/user"))) {
            return files.toList();
        }
    }

    private long pid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(kit.run().resolve("worker.pid")).getFirst());
    }

    @Test
    @Tag("WRK-1")
    @Tag("W24")
    void startsAnswersRestartsAndEnds() throws IOException {
        var absent = postern("worker", "status").run();
        assertThat(absent.exit()).isEqualTo(8);
        assertThat(absent.err()).contains("No worker runs", "worker start");
        assertThat(postern("worker", "stop").run().exit()).isEqualTo(8);

        var started = postern("worker", "start").run();
        assertThat(started.exit()).as("%s", started).isZero();
        long first = pid();
        assertThat(started.out()).isEqualTo("The worker runs: process " + first + ".\n");
        var again = postern("worker", "start").run();
        assertThat(again.exit()).isZero();
        assertThat(again.out()).contains("already", "" + first);
        var status = WorkerKit.json(postern("--json", "worker", "status").run().out());
        assertThat(status.path("pid").asLong()).isEqualTo(first);
        assertThat(status.path("configChanged").asBoolean()).isFalse();
        assertThat(postern("doctor").run().out()).contains("worker", "process " + first);
        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("worker");

        assertThat(postern("worker", "restart").run().exit()).isZero();
        assertThat(pid()).isNotEqualTo(first);

        var ended = postern("worker", "stop").run();
        assertThat(ended.exit()).as("%s", ended).isZero();
        assertThat(postern("worker", "status").run().exit()).isEqualTo(8);
        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("local");
        assertThat(postern("worker", "logs", "-n", "1").run().out())
                .contains("has ended")
                .hasLineCount(1);
    }

    @Test
    @Tag("WRK-1")
    void aBackgroundWorkerHasASessionOfItsOwnAndNoneOfTheCallersStreams() throws IOException {
        assertThat(postern("worker", "start").run().exit()).isZero();

        var process = Path.of("/proc", Long.toString(pid()));
        var stat = Files.readString(process.resolve("stat"));
        var session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
        assertThat(session).isEqualTo("" + pid());
        assertThat(Files.readSymbolicLink(process.resolve("fd/0"))).hasToString("/dev/null");
        for (var output : new String[] {"fd/1", "fd/2"}) {
            assertThat(Files.readSymbolicLink(process.resolve(output)))
                    .isEqualTo(kit.data.toRealPath().resolve("logs/worker.out"));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kit.data.resolve("logs/worker.out"))))
                .isEqualTo("rw-------");
    }

    @Test
    @Tag("WRK-1")
    @Tag("W24")
    void saysWhyItDidNotStart() throws IOException {
        Files.createDirectories(kit.run());
        Files.setPosixFilePermissions(kit.run(), PosixFilePermissions.fromString("rwx------"));
        Files.createDirectory(kit.run().resolve("lock"));

        var broken = postern("worker", "start").run();

        assertThat(broken.exit()).as("%s", broken).isEqualTo(8);
        assertThat(broken.err()).contains("/run/lock", "worker.out");
    }

    @Test
    @Tag("WRK-3")
    @Tag("DIR-1")
    void theLauncherFindsTheWorkerWhereverTheDataDirectoryComesFrom() throws IOException {
        var home = Files.createDirectories(dir.resolve("home/.local/share"));
        Files.createSymbolicLink(home.resolve("postern"), kit.data);
        Files.createSymbolicLink(dir.resolve("postern"), kit.data);
        assertThat(postern("worker", "start").run().exit()).isZero();

        assertThat(owner(bare("--data-dir", kit.data, "mcp", "status", "--json")))
                .isEqualTo("worker");
        assertThat(owner(bare("mcp", "status", "--json", "--data-dir=" + kit.data)))
                .isEqualTo("worker");
        assertThat(owner(bare("mcp", "--data-dir", "da ta", "--json", "status").in(dir)))
                .isEqualTo("worker");
        assertThat(owner(bare("--json", "mcp", "status").in(dir).with("POSTERN_DATA_DIR", "./da ta")))
                .isEqualTo("worker");
        assertThat(owner(bare("--json", "mcp", "status").with("XDG_DATA_HOME", dir)))
                .isEqualTo("worker");
        assertThat(owner(bare("--json", "mcp", "status")
                        .with("XDG_DATA_HOME", "relative")
                        .with("HOME", dir.resolve("home"))))
                .isEqualTo("worker");
        assertThat(owner(bare("--json", "mcp", "status"))).isEqualTo("local");
        assertThat(bare("mcp", "status", "--data-dir").run().exit()).isEqualTo(2);
        assertThat(postern("mcp", "status", "--data-dir", "").run().exit()).isEqualTo(3);
    }

    @Test
    @Tag("WRK-3")
    void aCommandWithServersOfItsOwnDoesNotUseTheWorkerAndSaysSo() throws IOException {
        assertThat(postern("worker", "start").run().exit()).isZero();

        var servers = postern("mcp", "status").with("POSTERN_MCP_SERVERS", "[]").run();
        var bytes = postern("mcp", "status", "--json")
                .with("POSTERN_TOOL_BYTES", "500")
                .run();

        assertThat(servers.out()).contains("No servers are configured");
        assertThat(servers.err()).contains("POSTERN_MCP_SERVERS is set", "process " + pid());
        assertThat(WorkerKit.json(bytes.out()).path("owner").asText()).isEqualTo("local");
        assertThat(bytes.err()).contains("POSTERN_TOOL_BYTES is set");
    }

    @Test
    @Tag("W22")
    @Tag("W24")
    void whatAKilledWorkerLeavesKeepsNobodyFromWorking() throws Exception {
        assertThat(postern("worker", "start").run().exit()).isZero();
        long pid = pid();
        assertThat(new ProcessBuilder("kill", "-KILL", Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
        await().atMost(WorkerKit.PATIENCE).until(() -> ProcessTable.find(pid) == null);
        assertThat(kit.socket()).exists();

        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("local");
        assertThat(postern("worker", "status").run().exit()).isEqualTo(8);
        // A pid that a living process has by now, and a socket that nobody listens to.
        Files.writeString(
                kit.run().resolve("worker.pid"), ProcessHandle.current().pid() + "\n");
        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("local");
        // What never answers whoever reads it.
        Files.delete(kit.run().resolve("worker.pid"));
        assertThat(new ProcessBuilder("mkfifo", kit.run().resolve("worker.pid").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("local");
        assertThat(postern("worker", "stop").run().exit()).isEqualTo(8);

        assertThat(postern("worker", "start").run().exit()).isZero();
        assertThat(owner(postern("mcp", "status", "--json"))).isEqualTo("worker");
    }

    @Test
    @Tag("WRK-2")
    void callsGoToAWorkerOnlyWhereItsOwnerAllowsThat() throws IOException {
        kit.configure(Script.behaving(), true, "{}");
        assertThat(postern("worker", "start").run().exit()).isZero();

        var called =
                postern("call", "s", "echo", "text=é😀").with("LC_ALL", "C").run();

        assertThat(called.out()).isEqualTo("é😀\n");
        assertThat(called.err()).isEmpty();
        assertThat(kit.log()).contains("call ended with 0");
    }

    @Test
    @Tag("CLI-9")
    void whatTheMachineSaysOnSigquitGoesToStandardErrorAndTheCommandGoesOn() throws Exception {
        var record = dir.resolve("record");
        kit.configure(
                Script.behaving().record(record).on("call:echo", "sleep 2000").on("call:echo", "answer"), false, "{}");
        var call = postern("call", "s", "echo", "text=hi").start();
        WorkerKit.awaitRecord(record, "tools/call");

        kit.signal(call.process(), "QUIT");

        var ended = call.end();
        assertThat(ended.out()).isEqualTo("hi\n");
        assertThat(ended.err()).contains("Full thread dump");
        assertThat(ended.exit()).isZero();
    }

    @Test
    @Tag("CLI-6")
    void aReaderThatLeavesEndsAForwardedCommandQuietly() throws IOException {
        kit.configure(
                Script.behaving().tool("big"), true, "{\"limits\":{\"resultBytes\":1048576,\"frameBytes\":16777216}}");
        assertThat(postern("worker", "start").run().exit()).isZero();

        var cut = ScriptRun.of("/bin/sh", "-c", "\"$0\" call s big bytes=1000000 | head -c 5", ScriptTree.REAL_LAUNCHER)
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", "1")
                .with("POSTERN_DATA_DIR", kit.data)
                .run();
        var input = ScriptRun.of(
                        "/bin/sh",
                        "-c",
                        "printf '{\"text\":\"piped\"}' | \"$0\" call s echo -i -; \"$0\" call s echo text=x >/dev/full",
                        ScriptTree.REAL_LAUNCHER)
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", "1")
                .with("POSTERN_DATA_DIR", kit.data)
                .run();

        assertThat(cut.out()).isEqualTo("xxxxx");
        assertThat(cut.err()).isEmpty();
        assertThat(input.out()).isEqualTo("piped\n");
        assertThat(input.exit()).isEqualTo(1);
        assertThat(input.err()).contains("Standard output could not be written");
    }

    @Test
    @Tag("WRK-1")
    @Tag("WRK-5")
    void installsAUnitThatSavesTheDataDirectoryAndRemovesIt() throws IOException {
        var config = dir.resolve("config");
        var installed =
                postern("worker", "install").with("XDG_CONFIG_HOME", config).run();

        assertThat(installed.exit()).as("%s", installed).isZero();
        var other = new WorkerKit(dir.resolve("other"));
        assertThat(bare("--data-dir", other.data, "worker", "install")
                        .with("XDG_CONFIG_HOME", config)
                        .run()
                        .exit())
                .isZero();
        assertThat(units(config)).hasSize(2);
        var unit = units(config).stream()
                .filter(each -> installed.out().contains(each.toString()))
                .findFirst()
                .orElseThrow();
        // 10 s for a call, 8 s to start, 5 s to close, and what is ours.
        assertThat(Files.readString(unit)).contains("TimeoutStopSec=33");
        assertThat(installed.out()).contains(unit.toString(), "systemctl --user");
        assertThat(Files.readString(unit))
                .contains("\"" + kit.data + "\" worker run", "KillMode=mixed", "Restart=on-failure")
                .doesNotContain("@LAUNCHER@", "@DATA_DIR@", "@STOP_SECONDS@", "@NAME@", "Environment=");
        var removed =
                postern("worker", "uninstall").with("XDG_CONFIG_HOME", config).run();
        assertThat(removed.exit()).as("%s", removed).isZero();
        assertThat(units(config)).hasSize(1).doesNotContain(unit);
        assertThat(postern("worker", "uninstall")
                        .with("XDG_CONFIG_HOME", config)
                        .run()
                        .exit())
                .isEqualTo(8);
    }
}
