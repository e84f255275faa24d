package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Written;
import dev.postern.process.Containment.Kind;
import dev.postern.process.InstanceListener.Ending;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeavesNothingBehind.class)
class LaunchIT {
    private static final String KINDS = "dev.postern.process.Kinds#available";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    @Tag("SEC-4")
    @ParameterizedTest
    @MethodSource(KINDS)
    void serverSeesExactlyItsVariables(Kind kind) {
        var script = Script.behaving().tool("env");
        var spec = new LaunchSpec(
                "it",
                script.command(),
                script.args(),
                null,
                Map.of("PATH", "/usr/bin:/bin", "HOME", "/tmp", "EMPTY", "", "ODD", "a=b c\né"),
                Map.of("TOKEN", new SecretValue("env:X", "s3cret value")));
        var server = Launched.of(new Launcher(Toolbox.system(), kind), spec, LIMIT);

        String answer = server.call("env", "{}");

        String variables = answer.substring(answer.indexOf("\"structuredContent\":"));
        assertThat(variables)
                .contains("\"TOKEN\":\"s3cret value\"", "\"PATH\":\"/usr/bin:/bin\"", "\"HOME\":\"/tmp\"")
                .contains("\"EMPTY\":\"\"", "\"ODD\":\"a=b c\\u000a", "\"POSTERN_INSTANCE\":\"");
        assertThat(variables.split("\":\"", -1)).hasSize(7);
        server.stop();
    }

    @Tag("SEC-4")
    @Tag("K33")
    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#namespaces")
    void containedServerFindsNoVariableOfTheHostAnywhere(Kind kind) {
        String canary = "canary-" + System.nanoTime();
        var script = Script.behaving().tool("env").tool("hunt");
        try (var host = Host.start(kind, script, List.of(), Map.of("POSTERN_CANARY", canary))) {
            host.read();

            assertThat(host.call("hunt", "{\"text\":\"" + canary + "\"}")).contains("\"text\":\"[]\"");
            assertThat(host.call("hunt", "{\"text\":\"POSTERN_INSTANCE\"}")).doesNotContain("\"text\":\"[]\"");
            assertThat(host.call("env", "{}")).doesNotContain(canary);
        }
    }

    /// The host's own is overwritten, so that a server without a namespace of its own, which sees the host,
    /// finds nothing there either.
    @Tag("SEC-4")
    @Tag("K33")
    @ParameterizedTest
    @MethodSource(KINDS)
    void serverFindsNoVariableOfTheHostInItselfOrInTheHost(Kind kind) {
        String canary = "canary-" + System.nanoTime();
        var script = Script.behaving().tool("env").tool("hunt");
        try (var host = Host.start(kind, script, List.of(), Map.of("POSTERN_CANARY", canary))) {
            host.read();

            assertThat(host.call("hunt", "{\"text\":\"" + canary + "\"}")).contains("\"text\":\"[]\"");
            assertThat(host.call("env", "{}")).contains("PATH").doesNotContain(canary);
        }
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    void startsInItsDirectory(Kind kind) throws IOException {
        Path odd = Files.createDirectory(directory.resolve("a dir with spaces"));
        var script = Script.behaving().tool("where");
        var spec = new LaunchSpec("it", script.command(), script.args(), odd, Launched.ENVIRONMENT, Map.of());
        var server = Launched.of(new Launcher(Toolbox.system(), kind), spec, LIMIT);

        assertThat(server.call("where", "{}")).contains(odd.toRealPath().toString());
        server.stop();
    }

    @Tag("PRC-4")
    @ParameterizedTest
    @MethodSource(KINDS)
    void showsTheServersOwnPidAndKeepsItsUser(Kind kind) throws IOException {
        var server = Launched.of(kind, Script.behaving().tool("where"));
        long pid = server.instance().pid();

        String inside = server.call("where", "{}").replaceFirst(".*\"text\":\"(\\d+) .*", "$1");

        List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
        String namespaces = status.stream()
                .filter(line -> line.startsWith("NSpid:"))
                .findFirst()
                .orElseThrow();
        String user = status.stream()
                .filter(line -> line.startsWith("Uid:"))
                .findFirst()
                .orElseThrow();
        assertThat(namespaces).endsWith("\t" + inside);
        assertThat(user.split("\t", -1)[1])
                .isEqualTo(Files.getAttribute(directory, "unix:uid").toString());
        assertThat(server.instance().containment().kind()).isEqualTo(kind);
        server.stop();
    }

    @Tag("PRC-7")
    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#contained")
    void givesTheInstanceSessionsOfItsOwn(Kind kind) {
        var server = Launched.of(kind, Script.behaving());
        server.call("echo", "{\"text\":\"hi\"}");
        long ours = session(ProcessHandle.current().pid());

        List<String> members = LeavesNothingBehind.instances(StopIT.marker(server));

        assertThat(members)
                .isNotEmpty()
                .extracting(member -> session(Long.parseLong(member.split(" ", 2)[0])))
                .doesNotContain(ours);
        server.stop();
    }

    @Tag("P15")
    @Tag("PRC-1")
    @ParameterizedTest
    @MethodSource(KINDS)
    void outlivesTheThreadThatAskedForIt(Kind kind) throws InterruptedException {
        var servers = new LinkedBlockingQueue<Launched>();
        Thread asking = Thread.ofPlatform().start(() -> servers.add(Launched.of(kind, Script.behaving())));
        asking.join();
        var server = servers.take();

        // The kernel would kill it as soon as the thread is gone.
        await().during(Duration.ofMillis(700))
                .atMost(Launched.PATIENCE)
                .until(() -> server.instance().exit() == null);
        assertThat(server.call("echo", "{\"text\":\"here\"}")).contains("here");
        server.stop();
    }

    @Test
    @Tag("P15")
    @Tag("PRC-1")
    @Tag("slow")
    void staysAliveForMoreThanAMinuteWhenAVirtualThreadAskedForIt() throws InterruptedException {
        // The carrier of a virtual thread ends after some 30 s without work, and would take the servers with it.
        List<Launched> servers = new ArrayList<>();
        for (Kind kind : Kinds.all()) {
            var answer = new LinkedBlockingQueue<Launched>();
            Thread.ofVirtual()
                    .start(() -> answer.add(Launched.of(kind, Script.behaving())))
                    .join();
            servers.add(answer.take());
        }

        await().during(Duration.ofSeconds(61))
                .atMost(Duration.ofSeconds(90))
                .until(() ->
                        servers.stream().allMatch(server -> server.instance().exit() == null));

        for (Launched server : servers) {
            assertThat(server.call("echo", "{\"text\":\"here\"}")).contains("here");
            server.stop();
        }
    }

    @Tag("P17")
    @Tag("PRC-1")
    @ParameterizedTest
    @MethodSource(KINDS)
    void drainsStandardErrorThatFloodsBeforeTheFirstAnswer(Kind kind) {
        var server =
                Launched.of(kind, Script.behaving().atStart("stderr 10485760").atStart("say the end"));

        assertThat(server.call("echo", "{\"text\":\"hi\"}")).contains("hi");
        server.stop();

        var tail = server.instance().stderr().tail();
        assertThat(server.instance().stderr().total()).isEqualTo(10_485_760 + 8);
        assertThat(tail.text()).endsWith("e\nthe end\n").hasSizeLessThanOrEqualTo(StderrTail.CAPACITY);
        assertThat(tail.dropped() + tail.text().length()).isEqualTo(10_485_760 + 8);
    }

    @Tag("P11")
    @ParameterizedTest
    @MethodSource(KINDS)
    void saysHowTheProcessEnded(Kind kind) {
        assertThat(Launched.of(kind, Script.empty().atStart("exit 0")).ending())
                .isEqualTo(new Ending.Exited(new Exit(0)));
        assertThat(Launched.of(kind, Script.empty().atStart("exit 1")).ending())
                .isEqualTo(new Ending.Exited(new Exit(1)));
    }

    @Tag("P11")
    @ParameterizedTest
    @MethodSource(KINDS)
    void saysHowProgramEndedThatIsOverAtOnce(Kind kind) {
        var launcher = new Launcher(Toolbox.system(), kind);

        assertThat(Launched.of(launcher, Launched.spec("true", List.of()), LIMIT)
                        .ending())
                .isEqualTo(new Ending.Exited(new Exit(0)));
        assertThat(Launched.of(launcher, Launched.spec("false", List.of()), LIMIT)
                        .ending())
                .isEqualTo(new Ending.Exited(new Exit(1)));
    }

    @Tag("P11")
    @ParameterizedTest
    @MethodSource(KINDS)
    void namesTheSignalThatEndedTheProcess(Kind kind) {
        // The first process of a namespace is spared the signals that it sends itself.
        assumeThat(kind).isNotEqualTo(Kind.UNSHARE);
        for (String signal : List.of("SEGV", "KILL", "PIPE")) {
            var server = Launched.of(kind, Script.empty().atStart("signal " + signal));

            assertThat(server.ending())
                    .isInstanceOfSatisfying(
                            Ending.Exited.class,
                            exited -> assertThat(exited.exit().signal()).isEqualTo("SIG" + signal));
        }
    }

    @Tag("P11")
    @ParameterizedTest
    @MethodSource(KINDS)
    void namesTheSignalThatSomebodyElseSent(Kind kind) {
        var server = Launched.of(kind, Script.behaving());
        server.call("echo", "{\"text\":\"hi\"}");

        ProcessHandle.of(server.instance().pid()).orElseThrow().destroyForcibly();

        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(137)));
        assertThat(server.instance().exit()).isEqualTo(new Exit(137));
    }

    @Tag("P12")
    @ParameterizedTest
    @MethodSource(KINDS)
    void tellsThatOutputWasClosedByProcessThatLives(Kind kind) {
        // In a namespace the programs around the server hold the pipe too: there it is only silent.
        assumeThat(kind.namespace()).isFalse();
        var server = Launched.of(kind, Script.behaving().atStart("close stdout"));

        assertThat(server.ending())
                .isEqualTo(new Ending.OutputClosed(server.instance().pid()));
        assertThat(server.instance().exit()).isNull();
        server.stop();
        assertThat(server.toldMore()).isFalse();
    }

    @Test
    @Tag("P12")
    void doesNotMindThatStandardErrorWasClosed() {
        var server = Launched.of(Kind.BWRAP, Script.behaving().atStart("close stderr"));

        assertThat(server.call("echo", "{\"text\":\"hi\"}")).contains("hi");
        server.stop();
    }

    @Test
    @Tag("P16")
    void killsServerThatDoesNotReadItsInput() throws Exception {
        var script = Script.empty().neverReads();
        var server =
                Launched.of(new Launcher(), Launched.spec(script.command(), script.args()), Duration.ofMillis(500));

        var whole = server.instance().write(new byte[1_000]);
        var partly = server.instance().write(new byte[300_000]);
        var notAtAll = server.instance().write(new byte[10]);
        var tooMuch = server.instance().write(new byte[PipeWriter.QUEUE_BYTES]);

        assertThat(server.ending()).isInstanceOf(Ending.NotReading.class);
        assertThat(whole.get()).isEqualTo(Written.WHOLE);
        assertThat(partly.get()).isEqualTo(Written.PARTLY);
        assertThat(notAtAll.get()).isEqualTo(Written.NOT_AT_ALL);
        assertThat(tooMuch.get()).isEqualTo(Written.NOT_AT_ALL);
        assertThat(server.stop()).isEmpty();
        assertThat(server.instance().write(new byte[1]).get()).isEqualTo(Written.NOT_AT_ALL);
    }

    @Test
    @Tag("PRC-4")
    void fallsBackWhenWrapperFailsAndRunsTheServerOnce() throws IOException {
        Path record = directory.resolve("runs");
        Path tools = tools("bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
        var launcher = new Launcher(new Toolbox(List.of(tools, Path.of("/usr/bin"), Path.of("/bin"))), Kind.BWRAP);
        var spec = Launched.spec("/bin/sh", List.of("-c", "echo run >> " + record + "; echo up; sleep 300"));

        var server = Launched.of(launcher, spec, LIMIT);

        assertThat(server.read()).isEqualTo("up");
        assertThat(server.instance().containment().kind()).isNotEqualTo(Kind.BWRAP);
        assertThat(server.instance().containment().remedy()).contains("No permissions to create new namespace");
        assertThat(Files.readAllLines(record)).containsExactly("run");
        assertThat(launcher.probe().kind()).isNotEqualTo(Kind.BWRAP);
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Resource temporarily unavailable", "Cannot allocate memory", "Too many open files"})
    @Tag("PRC-4")
    @Tag("P20")
    void startsNothingInWeakerContainmentForWantOfResources(String want) throws IOException {
        Path record = directory.resolve("runs");
        Path tools =
                tools("bwrap", "#!/bin/sh\necho 'bwrap: Creating new namespace failed: " + want + "' >&2\nexit 1\n");
        var launcher = new Launcher(new Toolbox(List.of(tools, Path.of("/usr/bin"), Path.of("/bin"))), Kind.BWRAP);
        var spec = Launched.spec("/bin/sh", List.of("-c", "echo run >> " + record));

        var launch = launcher.launch(spec, new Launched(), LIMIT, Launched.deadline(20));

        assertThat(launch)
                .isInstanceOfSatisfying(
                        Launcher.Launch.Failed.class,
                        failed -> assertThat(failed.problem().message()).contains(want));
        assertThat(record).doesNotExist();
        assertThat(launcher.outlook().kind()).isEqualTo(Kind.BWRAP);
    }

    @Test
    @Tag("PRC-4")
    void doesNotRunServerTwiceThatSpeaksLikeWrapper() throws IOException {
        Path record = directory.resolve("runs");
        var spec = Launched.spec(
                "/bin/sh", List.of("-c", "echo run >> " + record + "; echo 'bwrap: No permissions' >&2; exit 1"));

        var server = Launched.of(new Launcher(), spec, LIMIT);

        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(1)));
        assertThat(Files.readAllLines(record)).containsExactly("run");
        assertThat(server.instance().stderr().tail().text()).isEqualTo("bwrap: No permissions\n");
    }

    @Test
    @Tag("PRC-3")
    @Tag("PRC-4")
    void findsTheServersOwnProcessHoweverLongTheChainTakes() throws IOException {
        assumeThat(Kinds.available()).contains(Kind.BWRAP);
        Path gate = directory.resolve("gate");
        assertThat(run("mkfifo", gate.toString())).isZero();
        Path tools = tools("bwrap", "#!/bin/sh\nread line < " + gate + "\nexec /usr/bin/bwrap \"$@\"\n");
        var launcher = new Launcher(new Toolbox(List.of(tools, Path.of("/usr/bin"), Path.of("/bin"))), Kind.BWRAP);
        var server = Launched.of(launcher, Launched.spec("/bin/sh", List.of("-c", "echo up; exec sleep 300")), LIMIT);

        Files.writeString(gate, "go\n");

        assertThat(server.read()).isEqualTo("up");
        await().atMost(Launched.PATIENCE)
                .untilAsserted(() -> assertThat(
                                new String(Procfs.commandLine(server.instance().pid()), StandardCharsets.UTF_8))
                        .isEqualTo("sleep\000300\0"));
        assertThat(server.stop()).isEmpty();
    }

    @Test
    @Tag("PRC-4")
    void probeThatIsSlowProvesNothingAgainstAKind() throws IOException {
        assumeThat(Kinds.available()).contains(Kind.BWRAP);
        Path tools = tools("bwrap", "#!/bin/sh\nexec sleep 300\n");
        var launcher = new Launcher(new Toolbox(List.of(tools, Path.of("/usr/bin"), Path.of("/bin"))), Kind.BWRAP);

        assertThat(launcher.probe().kind()).isEqualTo(Kind.BWRAP);
    }

    @Tag("SEC-4")
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PARENT_DEATH", "SESSION", "NONE"})
    void serverFindsNoVariableInItsHostWithoutContainment(Kind kind) {
        String canary = "canary-" + System.nanoTime();
        var script = Script.behaving().tool("env").tool("hunt");
        try (var host = Host.start(kind, script, List.of(), Map.of("POSTERN_CANARY", canary))) {
            assertThat(host.read()).endsWith(" " + kind);

            assertThat(host.call("hunt", "{\"text\":\"" + canary + "\"}")).contains("\"text\":\"[]\"");
        }
    }

    @Test
    void worksWithoutAnyTool() {
        var launcher = new Launcher(new Toolbox(List.of(directory)), Kind.BWRAP);

        var server = Launched.of(
                launcher,
                Launched.spec(Script.behaving().command(), Script.behaving().args()),
                LIMIT);

        assertThat(server.call("echo", "{\"text\":\"hi\"}")).contains("hi");
        assertThat(server.instance().containment().kind()).isEqualTo(Kind.NONE);
        assertThat(server.instance().containment().remedy()).contains("bubblewrap");
        assertThat(server.stop()).isEmpty();
    }

    @Tag("PRC-4")
    @Test
    void containsServersOfAnOrdinaryUser() {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/setpriv"))).isTrue();
        assumeThat(ProcessHandle.current().info().user().orElse("")).isEqualTo("root");
        var nobody = List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
        for (Kind kind : Kinds.available()) {
            var script = Script.behaving().tool("env").ignoresEof().atStart("spawn daemon");
            try (var host = Host.start(kind, script, nobody, Map.of())) {
                assertThat(host.read()).startsWith("pid ").endsWith(" " + kind);
                assertThat(host.call("env", "{}")).contains("\"PATH\":").doesNotContain("PWD");

                host.endInput();

                assertThat(host.read()).isEqualTo("Exited[exit=Exit[status=143]]");
                assertThat(host.read()).isEqualTo("left []");
                host.awaitEnd();
            }
        }
    }

    /// To the system it is all the same whether a program went away after it was found, or its interpreter was
    /// never there.
    @Tag("P20")
    @ParameterizedTest
    @MethodSource(KINDS)
    void saysWhyTheSystemCannotRunTheProgram(Kind kind) throws IOException {
        Path program = directory.resolve("broken");
        Files.writeString(program, "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        var launcher = new Launcher(Toolbox.system(), kind);

        var launch = launcher.launch(
                Launched.spec(program.toString(), List.of()), new Launched(), LIMIT, Launched.deadline(20));

        assertThat(launch).isInstanceOfSatisfying(Launcher.Launch.Failed.class, failed -> {
            Problem problem = failed.problem();
            assertThat(problem.code()).isEqualTo(ErrorCode.START_SPAWN);
            assertThat(problem.message()).contains(program.toString()).contains("No such file or directory");
        });
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).start().waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long session(long pid) {
        Procfs.Stat stat = Procfs.stat(pid);
        return stat == null ? 0 : stat.session();
    }

    private Path tools(String name, String text) throws IOException {
        Path tool = directory.resolve(name);
        Files.writeString(tool, text);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }
}
