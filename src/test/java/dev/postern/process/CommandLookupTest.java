package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("SRV-2")
class CommandLookupTest {
    @TempDir
    Path directory;

    private Path first;
    private Path second;

    @BeforeEach
    void twoDirectories() throws IOException {
        first = Files.createDirectory(directory.resolve("first"));
        second = Files.createDirectory(directory.resolve("second"));
    }

    @Test
    void findsBareCommandOnThePathOfTheChild() throws IOException {
        Files.createDirectory(first.resolve("server"));
        Path program = program(second.resolve("server"), "rwxr-xr-x");

        assertThat(found("server", first + ":" + second)).isEqualTo(program);
    }

    @Test
    void namesTheDirectoriesSearched() throws IOException {
        Path plain = program(second.resolve("server"), "rw-r--r--");

        Problem problem = problem(spec("server", first + ":" + second + ":" + first, null));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_COMMAND_NOT_FOUND);
        assertThat(problem.message())
                .isEqualTo("The command \"server\" of server \"fs\" was not found in " + first + ", " + second + "; "
                        + plain + " may not be executed.");
    }

    @Test
    void searchesTheStandardDirectoriesWithoutPath() {
        Problem problem = problem(new LaunchSpec("fs", "no-such-program", List.of(), null, Map.of(), Map.of()));

        assertThat(problem.message()).contains("not found in /usr/bin, /bin (no PATH is set)");
    }

    @Test
    void takesAnEmptyEntryForTheWorkingDirectory() throws IOException {
        Path program = program(first.resolve("server"), "rwxr-xr-x");

        assertThat(new CommandLookup(spec("server", "/nowhere::", first)).find())
                .isInstanceOfSatisfying(
                        CommandLookup.Answer.Found.class,
                        found -> assertThat(found.program()).isEqualTo(program));
    }

    @Test
    void tellsApartWhatIsWrongWithPath() throws IOException {
        Path plain = program(first.resolve("plain"), "rw-r--r--");

        assertThat(problem(spec("/no/such/program", "", null)))
                .extracting(Problem::code, Problem::message)
                .containsExactly(
                        ErrorCode.START_COMMAND_NOT_FOUND,
                        "The command of server \"fs\" does not exist: /no/such/program.");
        assertThat(problem(spec(first.toString(), "", null)).message()).contains("a directory as its command");
        assertThat(problem(spec(plain.toString(), "", null)))
                .satisfies(problem -> assertThat(problem.message()).contains("may not be executed: " + plain))
                .satisfies(problem -> assertThat(problem.next()).contains("chmod +x " + plain));
        assertThat(problem(spec("", "/bin", null)).message()).contains("empty command");
    }

    @Test
    void tellsApartWhatIsWrongWithTheWorkingDirectory() throws IOException {
        Path plain = program(first.resolve("plain"), "rw-r--r--");

        assertThat(problem(spec("sh", "/bin", first.resolve("none"))).message()).contains("no such directory");
        assertThat(problem(spec("sh", "/bin", plain)).message()).contains("that is not a directory");
    }

    @Test
    void refusesCommandThatNoFileCanBeCalled() {
        Problem problem = problem(spec("\ud800", "/bin", null));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_SPAWN);
        assertThat(problem.message()).contains("can't be the name of a file");
    }

    @Test
    void passesOverDirectoryOfThePathThatNoFileCanBeCalled() {
        assertThat(found("sh", "/\ud800:/bin")).isEqualTo(Path.of("/bin/sh"));
    }

    @Test
    @Tag("SEC-5")
    void neverShowsValueThatNoProcessCanBeGiven() {
        var secret = new SecretValue("env:TOKEN", "s3cret\0value");
        var spec = new LaunchSpec("fs", "sh", List.of(), null, Map.of("PATH", "/bin"), Map.of("TOKEN", secret));

        Problem problem = problem(spec);

        assertThat(problem.message()).contains("TOKEN").contains("NUL").doesNotContain("s3cret");
        assertThat(problem.next()).doesNotContain("s3cret");
    }

    @Test
    void refusesArgumentsAndNamesThatNoProcessCanHave() {
        var argument = new LaunchSpec("fs", "sh", List.of("a\0b"), null, Map.of("PATH", "/bin"), Map.of());
        var name = new LaunchSpec("fs", "sh", List.of(), null, Map.of("PATH", "/bin", "A=B", "c"), Map.of());

        assertThat(problem(argument).message()).contains("NUL character in command or args");
        assertThat(problem(name).message()).contains("variable name");
    }

    private static Path found(String command, String path) {
        return switch (new CommandLookup(spec(command, path, null)).find()) {
            case CommandLookup.Answer.Found found -> found.program();
            case CommandLookup.Answer.Not not -> throw new AssertionError(not.problem());
        };
    }

    private static Problem problem(LaunchSpec spec) {
        return switch (new CommandLookup(spec).find()) {
            case CommandLookup.Answer.Found found -> throw new AssertionError(found.program());
            case CommandLookup.Answer.Not not -> not.problem();
        };
    }

    private static LaunchSpec spec(String command, String path, @Nullable Path cwd) {
        return new LaunchSpec("fs", command, List.of(), cwd, Map.of("PATH", path), Map.of());
    }

    private static Path program(Path path, String permissions) throws IOException {
        Files.writeString(path, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
