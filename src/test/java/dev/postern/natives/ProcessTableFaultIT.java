package dev.postern.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Who has no descriptor left sees nobody, and must take nobody for dead.
@Tag("PRC-4")
@Tag("CAL-4")
@Tag("P20")
@EnabledOnOs(OS.LINUX)
class ProcessTableFaultIT {
    @Test
    void takesNobodyForDeadWhoCannotBeLookedAt() throws Exception {
        var process = new ProcessBuilder(
                        "prlimit",
                        "--nofile=256:256",
                        "--",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BlindMain.class.getName(),
                        ProcessTable.own().text())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = process.getInputStream()) {
            var told = new String(out.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();

            assertThat(told).hasSize(5);
            assertThat(told.get(0)).isEqualTo("ready true");
            assertThat(told.get(1)).startsWith("The system does not tell who this process is: /proc/");
            // What failed once is asked again; and where nobody has the pid, that needs no descriptor.
            assertThat(told.subList(2, 5)).containsExactly("ALIVE", "UNKNOWN", "DEAD");
        } finally {
            process.destroyForcibly();
        }
    }
}
