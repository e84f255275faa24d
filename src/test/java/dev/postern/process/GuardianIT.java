package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.ErrorCode;
import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Servers of a system that has neither util-linux nor bubblewrap, and who ends them.
@ExtendWith(LeavesNothingBehind.class)
class GuardianIT {
    private static final long SELF = ProcessHandle.current().pid();

    @TempDir
    Path directory;

    @Test
    @Tag("PRC-7")
    void perlHandsEveryArgumentOnAsItIs() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "perl", "true"), Kind.BWRAP);
        var odd = List.of("-c", "echo up; read line", "two words", "'\"$HOME`x`", "", "a\nb", "-e", "--", "*", "é😀");

        var server = Launched.of(launcher, Launched.spec("/bin/sh", odd), Launched.PATIENCE);

        assertThat(server.read()).isEqualTo("up");
        long pid = server.instance().pid();
        assertThat(new String(Procfs.commandLine(pid), StandardCharsets.UTF_8))
                .isEqualTo("/bin/sh\0" + String.join("\0", odd) + "\0");
        assertThat(session(pid)).isEqualTo(pid);
        assertThat(server.instance().containment().kind()).isEqualTo(Kind.SESSION);
        assertThat(server.stop()).isEmpty();
    }

    @Test
    @Tag("P20")
    void saysWhyPerlCannotRunTheProgram() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "perl", "true"), Kind.BWRAP);
        Path program = directory.resolve("broken");
        Files.writeString(program, "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

        var launch = launcher.launch(
                Launched.spec(program.toString(), List.of()), new Launched(), Launched.PATIENCE, Launched.deadline(20));

        assertThat(launch).isInstanceOfSatisfying(Launcher.Launch.Failed.class, failed -> {
            assertThat(failed.problem().code()).isEqualTo(ErrorCode.START_SPAWN);
            assertThat(failed.problem().message()).contains(program.toString()).contains("No such file or directory");
        });
        awaitNoGuardian();
    }

    @Test
    @Tag("PRC-4")
    void oneGuardianServesAllServersAndEndsWithTheLast() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "perl", "true"), Kind.BWRAP);
        assertThat(launcher.probe().guarded()).isTrue();
        assertThat(LeanTools.guardians(SELF)).isEmpty();

        var first = Launched.of(launcher, sleeping(), Launched.PATIENCE);
        var second = Launched.of(launcher, sleeping(), Launched.PATIENCE);

        var guardians = LeanTools.guardians(SELF);
        assertThat(guardians).hasSize(1);
        assertThat(first.instance().containment().guarded()).isTrue();
        assertThat(first.stop()).isEmpty();
        assertThat(LeanTools.guardians(SELF)).isEqualTo(guardians);
        assertThat(second.stop()).isEmpty();
        awaitNoGuardian();
    }

    @Test
    @Tag("PRC-4")
    @Tag("PRC-7")
    @Tag("SEC-4")
    void guardianHasNothingOfTheHostsButThePipe() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "perl", "true"), Kind.BWRAP);
        var server = Launched.of(launcher, sleeping(), Launched.PATIENCE);
        long guardian = LeanTools.guardians(SELF).getFirst();
        Path own = Path.of("/proc", Long.toString(guardian));

        assertThat(Files.readAllBytes(own.resolve("environ"))).isEmpty();
        assertThat(own.resolve("fd").toFile().list()).isSubsetOf("0", "1", "2");
        assertThat(Files.readSymbolicLink(own.resolve("cwd"))).isEqualTo(Path.of("/"));
        assertThat(session(guardian)).isEqualTo(guardian);
        for (String signal : List.of("-INT", "-TERM", "-HUP")) {
            signal(signal, guardian);
        }
        assertThat(server.instance().containment().guarded()).isTrue();
        assertThat(LeanTools.guardians(SELF)).containsExactly(guardian);
        assertThat(server.stop()).isEmpty();
        awaitNoGuardian();
    }

    @Test
    @Tag("PRC-4")
    void guardianThatIsKilledHarmsNobodyAndIsReplaced() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "perl", "true"), Kind.BWRAP);
        var server = Launched.of(launcher, echoing(), Launched.PATIENCE);
        long guardian = LeanTools.guardians(SELF).getFirst();

        signal("-KILL", guardian);
        awaitNoGuardian();

        assertThat(server.call("echo", "{\"text\":\"hi\"}")).contains("hi");
        var next = Launched.of(launcher, sleeping(), Launched.PATIENCE);
        assertThat(LeanTools.guardians(SELF)).hasSize(1).doesNotContain(guardian);
        assertThat(next.instance().containment().guarded()).isTrue();
        assertThat(server.stop()).isEmpty();
        assertThat(next.stop()).isEmpty();
        awaitNoGuardian();
    }

    @Test
    @Tag("PRC-4")
    void guardianThatIsStuckKeepsNoServerFromStarting() throws IOException {
        assumeThat(Path.of("/usr/bin/perl")).isExecutable();
        var tools = LeanTools.in(directory, "true");
        Path perl = directory.resolve("perl");
        Files.writeString(perl, "#!/bin/sh\ncase $2 in *groups*) exec sleep 300;; esac\nexec /usr/bin/perl \"$@\"\n");
        Files.setPosixFilePermissions(perl, PosixFilePermissions.fromString("rwxr-xr-x"));
        var launcher = new Launcher(tools, Kind.BWRAP);

        var server = Launched.of(launcher, echoing(), Launched.PATIENCE);

        assertThat(server.call("echo", "{\"text\":\"hi\"}")).contains("hi");
        assertThat(server.instance().containment().kind()).isEqualTo(Kind.SESSION);
        assertThat(server.instance().containment().guarded()).isFalse();
        assertThat(server.instance().containment().remedy())
                .startsWith("Nothing ends a server when Postern is killed, since no guardian could be started");
        assertThat(server.stop()).isEmpty();
    }

    @Test
    @Tag("PRC-4")
    void saysThatThereIsNoGuardianWithoutPerl() throws IOException {
        var launcher = new Launcher(LeanTools.in(directory, "setsid", "true"), Kind.BWRAP);

        var server = Launched.of(launcher, echoing(), Launched.PATIENCE);

        assertThat(server.instance().containment().kind()).isEqualTo(Kind.SESSION);
        assertThat(server.instance().containment().guarded()).isFalse();
        assertThat(server.instance().containment().remedy()).contains("there is no perl");
        assertThat(server.stop()).isEmpty();
    }

    @Test
    @Tag("PRC-4")
    void hasNoGuardianWhereTheKernelEndsTheServer() {
        for (Kind kind : Kinds.contained()) {
            var server = Launched.of(kind, Script.behaving());
            assertThat(server.instance().containment().guarded())
                    .as(kind.name())
                    .isFalse();
            assertThat(server.stop()).isEmpty();
        }
    }

    /// The program by itself: which groups it kills when its input ends.
    @Test
    @Tag("PRC-4")
    void killsExactlyTheGroupsThatAreListed() throws IOException, InterruptedException {
        assumeThat(Path.of("/usr/bin/perl")).isExecutable();
        List<Process> groups = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                groups.add(new ProcessBuilder("setsid", "sleep", "300").start());
            }
            for (Process each : groups) {
                await().atMost(Launched.PATIENCE).until(() -> session(each.pid()) == each.pid());
            }
            var guardian = new ProcessBuilder("perl", "-e", Guardian.PROGRAM).start();
            assertThat(guardian.getInputStream().read()).isEqualTo('\n');

            try (var pipe = guardian.getOutputStream()) {
                pipe.write(("+" + groups.get(0).pid() + "\n+" + groups.get(1).pid() + "\n")
                        .getBytes(StandardCharsets.US_ASCII));
                pipe.flush();
                pipe.write(("-" + groups.get(1).pid() + "\n+1\n+0\n+-1\n\n+\n+ "
                                + groups.get(2).pid() + "\n+" + groups.get(3).pid())
                        .getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(groups.getFirst().waitFor(Launched.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(guardian.waitFor(Launched.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(guardian.exitValue()).isZero();
            assertThat(groups).extracting(Process::isAlive).containsExactly(false, true, true, true);
        } finally {
            groups.forEach(Process::destroyForcibly);
        }
    }

    private static LaunchSpec sleeping() {
        return Launched.spec("/bin/sleep", List.of("300"));
    }

    private static LaunchSpec echoing() {
        var script = Script.behaving();
        return Launched.spec(script.command(), script.args());
    }

    private static void awaitNoGuardian() {
        await().atMost(Launched.PATIENCE)
                .untilAsserted(() -> assertThat(LeanTools.guardians(SELF)).isEmpty());
    }

    private static void signal(String signal, long pid) throws IOException {
        try {
            assertThat(new ProcessBuilder("kill", signal, Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long session(long pid) {
        Procfs.Stat stat = Procfs.stat(pid);
        return stat == null ? 0 : stat.session();
    }
}
