package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a failed probe of a kind of containment is held to prove against it: only what says that it can't be done here.
@Tag("PRC-4")
@EnabledOnOs(OS.LINUX)
@ExtendWith(LeavesNothingBehind.class)
class ProbeIT {
    private static final String WORKS = "exit 0";

    @TempDir
    private Path tools;

    private Launcher launcher() {
        return new Launcher(new Toolbox(List.of(tools, Path.of("/usr/bin"), Path.of("/bin"))), Kind.BWRAP);
    }

    private void bwrap(String behaviour) throws IOException {
        var script = Files.writeString(tools.resolve("bwrap"), "#!/bin/sh\n" + behaviour + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'bwrap: fork: Resource temporarily unavailable' >&2; exit 1",
                "echo 'bwrap: open: Too many open files in system' >&2; exit 1",
                "echo 'bwrap: Cannot allocate memory' >&2; exit 1",
                "kill -9 $$",
                // As a program speaks whose translations are installed.
                "case \"$LC_ALL$LC_MESSAGES$LANG$LANGUAGE\" in '' | C) words='Resource temporarily unavailable' ;;"
                        + " *) words='Die Ressource ist zur Zeit nicht verfügbar' ;; esac;"
                        + " echo \"bwrap: fork: $words\" >&2; exit 1"
            })
    @Tag("P20")
    void scarcityProvesNothing(String behaviour) throws IOException {
        var launcher = launcher();
        bwrap(behaviour);
        launcher.probe();
        bwrap(WORKS);

        assertThat(launcher.probe().kind()).isEqualTo(Kind.BWRAP);
    }

    @Test
    void interruptionProvesNothing() throws IOException {
        var launcher = launcher();
        bwrap("exit 1");
        Thread.currentThread().interrupt();
        launcher.probe();
        boolean kept = Thread.interrupted();
        bwrap(WORKS);

        assertThat(kept).isTrue();
        assertThat(launcher.probe().kind()).isEqualTo(Kind.BWRAP);
    }

    @Test
    void refusalIsRemembered() throws IOException {
        var launcher = launcher();
        bwrap("echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2; exit 1");
        launcher.probe();
        bwrap(WORKS);

        assertThat(launcher.probe().kind()).isNotEqualTo(Kind.BWRAP);
    }
}
