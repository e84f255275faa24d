package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.natives.Ancestry;
import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("SEC-7")
@EnabledOnOs(OS.LINUX)
@ExtendWith(LeavesNothingBehind.class)
class LedgerKinIT {
    @TempDir
    private Path directory;

    @Test
    void knowsAServerThatHasShedItsMark() {
        var premises = new TestPremises(directory);
        var launcher = new Launcher(Toolbox.system(), Kind.SESSION, premises);
        var kin = new LedgerKin(new RunLedger(premises));
        var server = Launched.of(
                launcher,
                Launched.spec("sh", List.of("-c", "env -i sleep 300 & exec env -i sleep 300")),
                Launched.PATIENCE);
        long pid = server.instance().pid();
        await().atMost(Launched.PATIENCE)
                .until(() -> Ancestry.variable(pid, LaunchSpec.MARKER) == Ancestry.Sign.ABSENT
                        && !Procfs.children(pid).isEmpty());
        long child = Procfs.children(pid).getFirst();
        long self = ProcessHandle.current().pid();
        try {
            assertThat(kin.test(List.of(pid))).isTrue();
            assertThat(kin.test(List.of(child))).as("by its session").isTrue();
            assertThat(kin.test(List.of(Integer.MAX_VALUE + 0L, self)))
                    .as("by its host")
                    .isTrue();
            assertThat(kin.test(Ancestry.of(self))).isFalse();
        } finally {
            assertThat(server.stop()).isEmpty();
        }
    }
}
