package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.RunTests;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Where the tests run as root, those of processes run once more as somebody who may do nothing special: other
/// namespaces, other rights on `/proc`, other files. Each of them is a test here too.
@ExtendWith(LeavesNothingBehind.class)
class OrdinaryUserIT {
    private static final int NOBODY = 65_534;

    private static final List<String> CLASSES = List.of(
            "process.LaunchIT",
            "process.StopIT",
            "process.HostDeathFaultIT",
            "process.GuardianIT",
            "process.LaunchDeathFaultIT",
            "process.LedgerIT",
            "process.SweepIT",
            "process.ViewIT",
            "transport.StdioConnectorIT");

    /// No test of these takes long; all of them together some minutes.
    private static final int PATIENCE_MINUTES = 15;

    @TempDir
    Path directory;

    @TestFactory
    @Tag("PRC-3")
    @Tag("PRC-4")
    Stream<DynamicTest> processesOfOrdinaryUser() throws IOException, InterruptedException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.setAttribute(home, "unix:uid", NOBODY);
        Path results = home.resolve("results");

        var builder = new ProcessBuilder(command(home, results)).inheritIO().directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().keySet().removeAll(List.of("USER", "LOGNAME", "XDG_RUNTIME_DIR"));
        Process tests = builder.start();
        try {
            assertThat(tests.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            tests.destroyForcibly();
        }

        assertThat(tests.exitValue()).isZero();
        List<RunTests.Result> all = RunTests.results(results);
        assertThat(all).hasSizeGreaterThan(CLASSES.size());
        return all.stream().map(OrdinaryUserIT::test);
    }

    private static DynamicTest test(RunTests.Result result) {
        return DynamicTest.dynamicTest(result.name(), () -> {
            switch (result.state()) {
                case "passed" -> {}
                case "skipped" -> abort(result.why());
                default -> throw new AssertionError("As an ordinary user: " + result.why());
            }
        });
    }

    private List<String> command(Path home, Path results) throws IOException {
        var user = Integer.toString(NOBODY);
        List<String> command = new ArrayList<>(
                List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all", "--"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-Dpostern.repetitions=4",
                "-Djava.io.tmpdir=" + home,
                "-cp",
                classPath(),
                RunTests.class.getName(),
                results.toString()));
        CLASSES.forEach(each -> command.add("dev.postern." + each));
        return command;
    }

    /// A copy that anybody can read, of what may lie in a home that is closed.
    private String classPath() throws IOException {
        Path copies = Files.createDirectory(directory.resolve("classes"));
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.exists(from)) {
                Path to = copies.resolve(entries.size() + "-" + from.getFileName());
                copy(from, to);
                entries.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path copy = to.resolve(from.relativize(each).toString());
                boolean inner = Files.isDirectory(each);
                if (inner) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(each, copy);
                }
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(inner ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
