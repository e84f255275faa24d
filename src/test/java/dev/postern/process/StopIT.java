package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.process.Containment.Kind;
import dev.postern.process.InstanceListener.Ending;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("PRC-3")
@ExtendWith(LeavesNothingBehind.class)
class StopIT {
    private static final String KINDS = "dev.postern.process.Kinds#available";
    private static final String NAMESPACES = "dev.postern.process.Kinds#namespaces";

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource(KINDS)
    void asksNoMoreOfServerThatEndsWithItsInput(Kind kind) {
        var server = Launched.of(kind, recording());
        server.call("echo", "{\"text\":\"hi\"}");

        assertThat(server.stop()).isEmpty();

        assertThat(recorded()).contains("#eof").doesNotContain("#term");
        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(0)));
        assertThat(server.toldMore()).isFalse();
    }

    @Tag("P12")
    @ParameterizedTest
    @MethodSource(KINDS)
    void termsServerThatIgnoresTheEndOfItsInput(Kind kind) {
        var server = Launched.of(kind, recording().ignoresEof());
        server.call("echo", "{\"text\":\"hi\"}");

        assertThat(server.stop()).isEmpty();

        assertThat(recorded()).containsSubsequence("#eof", "#term");
        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(143)));
    }

    @Tag("P12")
    @ParameterizedTest
    @MethodSource(KINDS)
    void killsServerThatIgnoresBoth(Kind kind) {
        var server = Launched.of(kind, recording().ignoresEof().ignoresTerm());
        server.call("echo", "{\"text\":\"hi\"}");

        assertThat(server.stop()).isEmpty();

        assertThat(recorded()).containsSubsequence("#eof", "#term");
        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(137)));
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    void endsServerThatDoesNotHandleTerm(Kind kind) {
        var server = Launched.of(
                new Launcher(Toolbox.system(), kind), Launched.spec("sleep", List.of("300")), Launched.PATIENCE);

        assertThat(server.stop()).isEmpty();

        assertThat(server.instance().exit()).isNotNull();
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource(KINDS)
    void endsServerBehindShell(Kind kind) {
        var server = Launched.of(kind, recording().ignoresEof().ignoresTerm().underShell());
        server.call("echo", "{\"text\":\"hi\"}");

        assertThat(server.stop()).isEmpty();

        assertThat(recorded()).containsSubsequence("#eof", "#term");
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource(KINDS)
    void letsServerBehindShellEndInOrder(Kind kind) {
        var server = Launched.of(
                kind,
                recording().ignoresEof().atTerm("sleep 200").atTerm("say bye").underShell());
        server.call("echo", "{\"text\":\"hi\"}");

        assertThat(server.stop()).isEmpty();

        assertThat(server.instance().stderr().tail().text()).isEqualTo("bye\n");
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource(KINDS)
    void endsChildrenSessionsAndDaemons(Kind kind) {
        var server = Launched.of(
                kind,
                recording()
                        .ignoresEof()
                        .ignoresTerm()
                        .atStart("spawn plain")
                        .atStart("spawn session")
                        .atStart("spawn daemon"));
        server.call("echo", "{\"text\":\"hi\"}");
        String marker = marker(server);
        assertThat(LeavesNothingBehind.instances(marker)).hasSizeGreaterThanOrEqualTo(4);

        assertThat(server.stop()).isEmpty();

        assertThat(LeavesNothingBehind.instances(marker)).isEmpty();
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource(NAMESPACES)
    void endsDaemonThatClearedItsEnvironment(Kind kind) {
        var server = Launched.of(kind, recording().atStart("spawn bare-daemon"));
        server.call("echo", "{\"text\":\"hi\"}");
        List<Long> before = sleeping(server);

        assertThat(before).hasSize(1);
        assertThat(server.stop()).isEmpty();
        assertThat(before).noneMatch(Procfs::alive);
    }

    @Tag("P13")
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PARENT_DEATH", "SESSION"})
    void endsDaemonOutsideNamespacesThatLeftNothingToKnowItBy(Kind kind) {
        var server = hidingDaemon(kind, 300);
        long daemon = Long.parseLong(server.read());

        assertThat(server.stop()).isEmpty();

        // Not even a zombie.
        assertThat(Procfs.stat(daemon)).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PARENT_DEATH", "SESSION"})
    void leavesDaemonAloneThatMayBeAnotherServers(Kind kind) {
        var first = hidingDaemon(kind, 300);
        var second = hidingDaemon(kind, 300);
        long daemon = Long.parseLong(second.read());

        assertThat(first.stop()).isEmpty();
        assertThat(Procfs.alive(daemon)).isTrue();
        assertThat(second.stop()).isEmpty();

        assertThat(Procfs.stat(daemon)).isNull();
        assertThat(Procfs.stat(Long.parseLong(first.read()))).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PARENT_DEATH", "SESSION"})
    void keepsNoZombieOfDaemonThatEnded(Kind kind) {
        var server = hidingDaemon(kind, 0);
        long daemon = Long.parseLong(server.read());

        await().atMost(Launched.PATIENCE).until(() -> Procfs.stat(daemon) == null);

        assertThat(server.instance().exit()).isNull();
        server.stop();
    }

    /// A server that starts a daemon without environment, parents or session of its, and tells its pid.
    private static Launched hidingDaemon(Kind kind, int seconds) {
        String daemon = "(env -i setsid sleep " + seconds + " </dev/null >/dev/null 2>&1 & echo $!); exec cat";
        return Launched.of(
                new Launcher(Toolbox.system(), kind),
                Launched.spec("/bin/sh", List.of("-c", daemon)),
                Launched.PATIENCE);
    }

    @Tag("P12")
    @ParameterizedTest
    @MethodSource(KINDS)
    void endsGrandchildrenThatHoldThePipesOfServerThatEnded(Kind kind) {
        var server = Launched.of(
                kind,
                Script.behaving()
                        .atStart("spawn plain")
                        .atStart("spawn session")
                        .on("ping", "exit 7"));
        String marker = marker(server);
        server.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}");
        server.read();

        server.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");

        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(7)));
        await().atMost(Launched.PATIENCE)
                .untilAsserted(
                        () -> assertThat(LeavesNothingBehind.instances(marker)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    void stopsAtOnceWhenNoTimeIsLeft(Kind kind) {
        var server = Launched.of(kind, recording().ignoresEof().ignoresTerm());
        server.call("echo", "{\"text\":\"hi\"}");

        server.instance().beginStop(Launched.deadline(3_000));
        assertThat(server.instance().stop(Launched.deadline(0))).isEmpty();

        assertThat(server.ending()).isEqualTo(new Ending.Exited(new Exit(137)));
    }

    @Tag("P12")
    @ParameterizedTest
    @MethodSource(KINDS)
    void endsServerThatFloodsItsOutput(Kind kind) {
        var server = Launched.of(kind, Script.behaving().atStart("endless forever"));

        assertThat(server.stop()).isEmpty();

        assertThat(server.ending()).isInstanceOf(Ending.Exited.class);
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource(KINDS)
    void endsProcessesThatMultiply(Kind kind) {
        // Each shell starts two more, to a depth that stays under any limit on processes.
        String multiply = "f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; sleep 300; }; f 6";
        var server = Launched.of(
                new Launcher(Toolbox.system(), kind),
                Launched.spec("/bin/sh", List.of("-c", multiply)),
                Duration.ofSeconds(10));
        String marker = marker(server);
        await().atMost(Launched.PATIENCE)
                .until(() -> LeavesNothingBehind.instances(marker).size() > 32);

        assertThat(server.instance().stop(Launched.deadline(2))).isEmpty();

        assertThat(LeavesNothingBehind.instances(marker)).isEmpty();
    }

    private Script recording() {
        return Script.behaving().record(directory.resolve("record"));
    }

    private List<String> recorded() {
        try {
            return Files.readAllLines(directory.resolve("record"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static String marker(Launched server) {
        return marker(server.instance().pid());
    }

    static String marker(long pid) {
        String environment = read(pid, "environ");
        int at = ("\0" + environment).indexOf("\0" + LaunchSpec.MARKER + "=");
        return environment.substring(at + LaunchSpec.MARKER.length() + 1).split("\0", 2)[0];
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The processes in the server's namespace that sleep.
    private static List<Long> sleeping(Launched server) {
        String namespace = namespace(server.instance().pid());
        return processes().stream()
                .map(Procfs.Stat::pid)
                .filter(pid -> new String(Procfs.commandLine(pid), StandardCharsets.UTF_8).startsWith("sleep\0"))
                .filter(pid -> namespace(pid).equals(namespace))
                .toList();
    }

    private static String namespace(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns", "pid"))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Procfs.Stat> processes() {
        try {
            return Procfs.all();
        } catch (Procfs.Unreadable e) {
            throw new UncheckedIOException(e);
        }
    }
}
