package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeavesNothingBehind.class)
class HostDeathFaultIT {
    @TempDir
    Path directory;

    private static final Script STUBBORN = Script.behaving()
            .ignoresEof()
            .ignoresTerm()
            .atStart("spawn plain")
            .atStart("spawn session")
            .atStart("spawn daemon");

    @Tag("P13")
    @Tag("PRC-4")
    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#namespaces")
    void nothingOutlivesHostThatIsKilled(Kind kind) {
        try (var host = Host.start(kind, STUBBORN, List.of(), Map.of())) {
            long server = Long.parseLong(host.read().split(" ", -1)[1]);
            host.call("echo", "{\"text\":\"hi\"}");
            String marker = StopIT.marker(server);
            assertThat(LeavesNothingBehind.instances(marker)).hasSizeGreaterThanOrEqualTo(4);

            host.kill();

            await().atMost(Launched.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(LeavesNothingBehind.instances(marker)).isEmpty());
        }
    }

    @Tag("P13")
    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#contained")
    void serverItselfDoesNotOutliveHostThatIsKilled(Kind kind) {
        try (var host = Host.start(kind, Script.behaving().ignoresEof().ignoresTerm(), List.of(), Map.of())) {
            long server = Long.parseLong(host.read().split(" ", -1)[1]);
            host.call("echo", "{\"text\":\"hi\"}");

            host.kill();

            await().atMost(Launched.PATIENCE).until(() -> !Procfs.alive(server));
        }
    }

    @Tag("P13")
    @Tag("PRC-4")
    @ParameterizedTest
    @ValueSource(strings = {"setsid perl true", "perl true"})
    void guardianEndsProcessGroupWithHostThatIsKilled(String tools) throws IOException {
        LeanTools.in(directory, tools.split(" ", -1));
        var script = Script.behaving().ignoresEof().ignoresTerm().atStart("spawn plain");
        try (var host = Host.start(directory, script, List.of())) {
            String up = host.read();
            assertThat(up).endsWith(" SESSION");
            host.call("echo", "{\"text\":\"hi\"}");
            String marker = StopIT.marker(Long.parseLong(up.split(" ", -1)[1]));
            assertThat(LeavesNothingBehind.instances(marker)).hasSizeGreaterThanOrEqualTo(2);
            var guardians = LeanTools.guardians(host.pid());
            assertThat(guardians).hasSize(1);

            host.kill();

            await().atMost(Launched.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(LeavesNothingBehind.instances(marker)).isEmpty());
            await().atMost(Launched.PATIENCE).until(() -> !Procfs.alive(guardians.getFirst()));
        }
    }

    @Tag("PRC-4")
    @Tag("PRC-7")
    @Test
    void interruptFromTheTerminalReachesNeitherServerNorGuardian() throws IOException, InterruptedException {
        LeanTools.in(directory, "perl", "true");
        List<String> foreground = List.of("setsid", "sh", "-c", "trap '' INT; exec \"$@\"", "sh");
        try (var host = Host.start(directory, Script.behaving(), foreground)) {
            host.read();
            host.call("echo", "{\"text\":\"hi\"}");
            var guardians = LeanTools.guardians(host.pid());

            var interrupt = new ProcessBuilder("kill", "-INT", "--", "-" + host.pid()).start();
            assertThat(interrupt.waitFor()).isZero();

            host.send("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
            assertThat(host.read()).contains("\"id\":3,\"result\"");
            assertThat(LeanTools.guardians(host.pid())).hasSize(1).isEqualTo(guardians);
        }
    }

    @Tag("PRC-7")
    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#contained")
    void interruptFromTheTerminalDoesNotReachTheServer(Kind kind) throws IOException, InterruptedException {
        // A terminal sends Ctrl-C to every process of its foreground group. The host leads one here, and its shell
        // ignores the signal, as a program that asks its user first would.
        List<String> foreground = List.of("setsid", "sh", "-c", "trap '' INT; exec \"$@\"", "sh");
        try (var host = Host.start(kind, Script.behaving(), foreground, Map.of())) {
            host.read();
            host.call("echo", "{\"text\":\"hi\"}");

            var interrupt = new ProcessBuilder("kill", "-INT", "--", "-" + host.pid()).start();
            assertThat(interrupt.waitFor()).isZero();

            host.send("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
            assertThat(host.read()).contains("\"id\":3,\"result\"");
        }
    }
}
