package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("PRC-3")
@Tag("P20")
@EnabledOnOs(OS.LINUX)
@ExtendWith(LeavesNothingBehind.class)
class BlindHostFaultIT {
    @TempDir
    private Path directory;

    @Test
    void hostWithoutDescriptorsEndsItsServer() {
        try (var host = Host.start(
                BlindHostMain.class,
                List.of(directory.toString()),
                List.of("prlimit", "--nofile=256:256", "--"),
                Map.of())) {
            assertThat(host.read()).isEqualTo("true [] dead");
        }
    }
}
