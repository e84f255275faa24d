package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.Approval;
import dev.postern.host.AgentMain.Phase;
import dev.postern.host.HostKit.Server;
import dev.postern.model.Message;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport.State;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The process that runs an agent is killed.
@ExtendWith(LeavesNothingBehind.class)
class AgentDeathFaultIT {
    @TempDir
    private Path dir;

    private String killAt(Phase phase) throws Exception {
        var builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dpostern.sqlite=" + System.getProperty("postern.sqlite"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AgentMain.class.getName(),
                        dir.toString(),
                        phase.name()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(System.getenv());
        var process = builder.start();
        try {
            return session(process);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String session(Process process) throws IOException {
        var out = process.inputReader(StandardCharsets.UTF_8);
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("REACHED ")) {
                return line.substring("REACHED ".length());
            }
        }
        throw new AssertionError("it ended before the phase");
    }

    @ParameterizedTest
    @CsvSource({"FIRST_ANSWER,''", "APPROVAL,''", "CALL,unknown", "SECOND_ANSWER,succeeded"})
    @Tag("RUN-1")
    @Tag("CAL-4")
    @Tag("CAL-3")
    void leavesAReadableSessionWithEachCallsOutcomeThatCanGoOn(Phase phase, String outcomes) throws Exception {
        var id = killAt(phase);

        try (var kit = AgentKit.of(dir, Server.of("s", Script.behaving()).approval(Approval.AUTO))
                .owners(new ProcessOwners())
                .start()) {
            var session = AgentKit.here(kit.records.session(id));
            var run = session.runs().getFirst().run();
            assertThat(run.summary().state()).isEqualTo("failed");
            assertThat(run.summary().agent().trouble())
                    .isNotNull()
                    .satisfies(trouble -> assertThat(trouble.code()).isEqualTo("run.owner-died"));
            assertThat(run.calls().stream().map(call -> String.valueOf(call.outcome())))
                    .containsExactlyElementsOf(outcomes.isEmpty() ? List.of() : List.of(outcomes));

            kit.model.says("I see.");
            var report = kit.run("What happened?", new RunOrder.Session.Continued(id));

            assertThat(report.state()).isEqualTo(State.COMPLETED);
            var told = kit.model.requests().getFirst().messages();
            assertThat(told.getFirst()).isEqualTo(new Message.User("Go."));
            if (phase == Phase.APPROVAL || phase == Phase.CALL) {
                assertThat(((Message.Results) told.get(2)).answers().getFirst().text())
                        .contains("unknown", "It may have been done");
            }
            assertThat(AgentKit.here(kit.records.session(id))
                            .runs()
                            .getFirst()
                            .run()
                            .calls())
                    .hasSameSizeAs(run.calls());
        }
    }
}
