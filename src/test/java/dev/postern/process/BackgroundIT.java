package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.natives.Adoption;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("PRC-3")
@EnabledOnOs(OS.LINUX)
@ExtendWith(LeavesNothingBehind.class)
class BackgroundIT {
    @TempDir
    private Path directory;

    /// The background program; null before it runs.
    private static @Nullable ProcessHandle ours() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").endsWith("sleep 301"))
                .findFirst()
                .orElse(null);
    }

    /// Whether it leads a session of its own by now.
    private static boolean leads(@Nullable ProcessHandle process) {
        var stat = process == null ? null : Procfs.stat(process.pid());
        return stat != null && stat.session() == stat.pid();
    }

    /// It is our child in a session of its own, as an orphan of a server is.
    @Test
    void programOfOursIsNoOrphanOfAServer() throws IOException {
        Orphans.OF_THIS_PROCESS.enter(0);
        var stranger = new ProcessBuilder("setsid", "sleep", "300").start();
        try {
            assumeTrue(Adoption.inForce(), "the kernel adopts for this process");
            Background.start(List.of("sleep", "301"), directory.resolve("out"));
            await().atMost(Launched.PATIENCE).until(() -> leads(stranger.toHandle()) && leads(ours()));

            var claimable = Orphans.OF_THIS_PROCESS.claimable();

            assertThat(claimable).accepts(Procfs.stat(stranger.pid()));
            assertThat(claimable)
                    .rejects(Procfs.stat(Objects.requireNonNull(ours()).pid()));
        } finally {
            Orphans.OF_THIS_PROCESS.leave();
            stranger.destroyForcibly();
            var background = ours();
            if (background != null) {
                background.destroyForcibly();
                await().atMost(Launched.PATIENCE).until(() -> !background.isAlive());
            }
        }
    }
}
