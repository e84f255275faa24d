package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postern.base.ErrorCode;
import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a server in bubblewrap sees of the data directory.
@Tag("SEC-7")
@ExtendWith(LeavesNothingBehind.class)
class ViewIT {
    /// Says of each path whether it is there, and then what the data directory holds.
    private static final String LOOK =
            "for f in \"$@\"; do [ -e \"$f\" ] && echo \"seen $f\"; done; ls -A \"$DATA\"; echo end; exec cat";

    @TempDir
    Path directory;

    private Path data = Path.of("/");

    @BeforeEach
    void fill() throws IOException {
        assumeThat(Kinds.available()).contains(Kind.BWRAP);
        data = Files.createDirectory(directory.resolve("the data"));
        Files.createDirectories(data.resolve("work/deep"));
        Files.createDirectory(data.resolve("auth"));
        Files.createDirectory(data.resolve("run"));
        for (String secret : List.of("config.json", "postern.db", "auth/github.json", "run/api-token", "work/own")) {
            Files.writeString(data.resolve(secret), "secret");
        }
    }

    @Test
    void serverSeesNothingOfTheDataDirectoryWhicheverWayItLooks() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);
        List<String> ways = new ArrayList<>();
        for (Path way : List.of(
                data,
                link,
                Path.of("/proc/self/root" + data),
                Path.of("/proc/1/root" + data),
                Path.of("/proc/self/cwd").resolve(directory.relativize(data)),
                data.resolve("../the data"),
                data.resolve("run/..").resolve("../the data"))) {
            for (String secret : List.of("config.json", "postern.db", "auth", "auth/github.json", "run", "work")) {
                ways.add(way.resolve(secret).toString());
            }
        }

        var server = look(data, directory, ways);

        assertThat(server.read()).isEqualTo("end");
        server.stop();
    }

    @Test
    void hidesTheDirectoryBehindLinks() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);

        var server = look(link, null, List.of(data + "/config.json", link + "/config.json"));

        assertThat(server.read()).isEqualTo("end");
        server.stop();
    }

    @Test
    void serverSeesItsOwnDirectoryInThereAndCanWriteIt() throws IOException {
        Path work = data.resolve("work");
        var server = look(
                data,
                work,
                List.of("own", "deep", work + "/own", "../config.json", "../auth", data + "/run", "../postern.db"));

        assertThat(server.read()).isEqualTo("seen own");
        assertThat(server.read()).isEqualTo("seen deep");
        assertThat(server.read()).isEqualTo("seen " + work + "/own");
        assertThat(server.read()).isEqualTo("work");
        assertThat(server.read()).isEqualTo("end");
        server.stop();

        var writer = start(data, work, "echo kept > new && ! echo lost > ../lost; pwd -P");
        assertThat(writer.read()).isEqualTo(work.toRealPath().toString());
        writer.ending();
        assertThat(work.resolve("new")).hasContent("kept");
        assertThat(data.resolve("lost")).doesNotExist();
    }

    @Test
    void findsItsDirectoryThroughLinksThatAreHidden() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path link = Files.createSymbolicLink(data.resolve("to-outside"), outside);

        var server = start(data, link, "pwd -P");

        assertThat(server.read()).isEqualTo(outside.toRealPath().toString());
        server.ending();
    }

    @Test
    void serverInTheDataDirectoryItselfStartsInAnEmptyOne() {
        var server = look(data, data, List.of("config.json", "auth", "run", "work"));

        assertThat(server.read()).isEqualTo("end");
        server.stop();
    }

    @Test
    void hidesWhatIsMadeWhileTheServerRuns() throws IOException {
        Path later = directory.resolve("later");
        var server = start(later, null, "read line; ls -A " + later + "; echo end; exec cat");

        assertThat(later.resolve("run")).isDirectory();
        Files.writeString(later.resolve("config.json"), "secret");
        server.send("look");

        assertThat(server.read()).isEqualTo("end");
        server.stop();
    }

    @Test
    void ordinaryServerCannotUncoverIt() {
        assumeThat(System.getProperty("user.name")).isNotEqualTo("root");
        String trick =
                "umount \"$DATA\"; umount -l \"$DATA\"; unshare -Urm sh -c 'umount \"$DATA\"; umount -l \"$DATA\";"
                        + " ls -A \"$DATA\"'; ls -A \"$DATA\"; echo end; exec cat";

        var server = start(data, null, trick);

        assertThat(server.read()).isEqualTo("end");
        server.stop();
    }

    @Test
    void saysUpFrontThatProgramIsHidden() throws IOException {
        Path program = program(data.resolve("program"));
        Path link = Files.createSymbolicLink(directory.resolve("program"), program);
        Path linked = Files.createSymbolicLink(data.resolve("sh"), Path.of("/bin/sh"));
        for (Path each : List.of(program, link, linked)) {
            var launch = launcher(data)
                    .launch(
                            Launched.spec(each.toString(), List.of()),
                            new Launched(),
                            Launched.PATIENCE,
                            Launched.deadline(20));

            assertThat(launch).isInstanceOfSatisfying(Launcher.Launch.Failed.class, failed -> {
                assertThat(failed.problem().code()).isEqualTo(ErrorCode.START_SPAWN);
                assertThat(failed.problem().message()).contains(each.toString(), "data directory");
            });
        }
    }

    @Test
    void runsProgramInItsOwnDirectory() throws IOException {
        Path program = program(data.resolve("work/program"));
        var spec = new LaunchSpec(
                "it", program.toString(), List.of(), data.resolve("work"), Launched.ENVIRONMENT, Map.of());

        var server = Launched.of(launcher(data), spec, Launched.PATIENCE);

        assertThat(server.read()).isEqualTo("runs");
        server.ending();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth", "run", "run/deeper", "logs"})
    void startsNoServerInWhatPosternKeepsForItself(String part) throws IOException {
        Path cwd = Files.createDirectories(data.resolve(part));
        var spec = new LaunchSpec("it", "/bin/sh", List.of("-c", "echo up"), cwd, Launched.ENVIRONMENT, Map.of());

        var launch = launcher(data).launch(spec, new Launched(), Duration.ofSeconds(10), Launched.deadline(20));

        assertThat(launch)
                .isInstanceOfSatisfying(
                        Launcher.Launch.Failed.class,
                        failed -> assertThat(failed.problem().message()).contains("keeps for itself"));
    }

    private static Path program(Path file) throws IOException {
        Files.writeString(file, "#!/bin/sh\necho runs\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Launcher launcher(Path data) {
        return new Launcher(Toolbox.system(), Kind.BWRAP, new TestPremises(data));
    }

    private Launched look(Path hidden, @Nullable Path cwd, List<String> paths) {
        return start(hidden, cwd, LOOK, paths.toArray(new String[0]));
    }

    private Launched start(Path hidden, @Nullable Path cwd, String script, String... arguments) {
        List<String> args = new ArrayList<>(List.of("-c", script, "sh"));
        args.addAll(List.of(arguments));
        var spec = new LaunchSpec(
                "it",
                "/bin/sh",
                args,
                cwd,
                Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "DATA", data.toString()),
                Map.of());
        var server = Launched.of(launcher(hidden), spec, Launched.PATIENCE);
        assertThat(server.instance().containment().kind()).isEqualTo(Kind.BWRAP);
        return server;
    }
}
