package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LeavesNothingBehind.class)
class HostDeathFaultIT {
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
