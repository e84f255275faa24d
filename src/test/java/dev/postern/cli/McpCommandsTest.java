package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpCommandsTest {
    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void configure() {
        cli = new CliHarness(temporary).config(Samples.CONFIG);
        Samples.fill(cli.host);
    }

    @Test
    @Tag("PRC-3")
    void warnsOfWhatCouldNotBeEnded() {
        cli.host.left.add(new Problem(ErrorCode.INTERNAL, "Pid 4711 could not be ended.", "Look with ps."));

        var result = cli.run("mcp", "status");

        assertThat(result.err()).contains("note: Pid 4711 could not be ended. Look with ps.");
        assertThat(result.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "mcp servers,mcp-servers",
        "mcp status,mcp-status",
        "mcp tools files,mcp-tools",
        "mcp discover files,mcp-discover"
    })
    @Tag("CLI-1")
    @Tag("CLI-2")
    @Tag("CLI-4")
    void printsForPeopleWhatTheSnapshotSays(String command, String snapshot) {
        var result = cli.run(command.split(" ", -1));

        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        Snapshots.check(snapshot + ".txt", result.out());
    }

    @ParameterizedTest
    @CsvSource({
        "mcp servers,mcp-servers",
        "mcp status,mcp-status",
        "mcp tools files,mcp-tools",
        "mcp discover files,mcp-discover"
    })
    @Tag("CLI-8")
    @Tag("SEC-6")
    void printsForProgramsWhatTheSnapshotSays(String command, String snapshot) {
        var result = cli.run((command + " --json").split(" ", -1));

        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        Snapshots.check(snapshot + ".json", result.out());
    }

    @ParameterizedTest
    @CsvSource({
        "mcp servers,mcp-servers-80",
        "mcp status,mcp-status-80",
        "mcp tools files,mcp-tools-80",
        "mcp discover files,mcp-discover-80"
    })
    @Tag("CLI-4")
    void fitsATerminalOfEightyColumns(String command, String snapshot) {
        cli.terminal = new Terminal(true, true, true, 80, false, null);

        Snapshots.check(snapshot + ".txt", cli.run(command.split(" ", -1)).out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp servers", "mcp status", "mcp tools files", "mcp discover files"})
    @Tag("CAT-5")
    @Tag("F35")
    void letsNoControlCharacterOfAServerReachTheTerminal(String command) {
        for (var json : new String[] {"", " --json"}) {
            var result = cli.run((command + json).split(" ", -1));

            assertThat(result.out() + result.err())
                    .matches(text -> text.codePoints()
                            .allMatch(c -> c == '\n'
                                    || (Character.getType(c) != Character.CONTROL
                                            && Character.getType(c) != Character.FORMAT)));
        }
    }

    @Test
    @Tag("CLI-4")
    void saysThatTheFileDoesNotExistWhenItNamesNoServer() throws IOException {
        Files.delete(cli.directory.resolve("config.json"));

        assertThat(cli.run("mcp", "tools", "files").err())
                .startsWith("error: No server \"files\" is configured: DATA/config.json does not exist.");
    }

    @Test
    @Tag("CLI-4")
    void foldsProblemsOnATerminalOnly() {
        cli.terminal = new Terminal(false, true, true, 50, false, null);
        var folded = cli.run("mcp", "tools", "nobody").err();
        cli.terminal = Terminal.NONE;

        assertThat(folded.lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 50);
        assertThat(cli.run("mcp", "tools", "nobody").err().lines()).hasSize(2);
    }

    @Test
    @Tag("CLI-2")
    @Tag("CAT-2")
    void namesWhatIsAllowedAndNotListed() {
        cli.config(Samples.CONFIG.replaceFirst("\"tools\": *\\[", "\"tools\": [\"no_such_tool\", "));

        assertThat(cli.run("mcp", "discover", "files").out())
                .contains("Allowed, but not listed by server files: no_such_tool");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp status", "mcp servers"})
    @Tag("CFG-5")
    void saysWhenTheFileIsNoLongerWhatIsInForce(String command) {
        cli.whenHostOpened = () -> cli.config(Samples.CONFIG + "\n");

        var result = cli.run(command.split(" ", -1));

        assertThat(result.code()).isZero();
        assertThat(result.err()).startsWith("note: config.json has changed since it was read");
        cli.whenHostOpened = () -> {};
        assertThat(cli.run(command.split(" ", -1)).err()).isEmpty();
    }

    @Test
    @Tag("CFG-5")
    @Tag("CLI-8")
    void tellsProgramsWhetherTheFileIsWhatIsInForce() {
        assertThat(cli.run("mcp", "status", "--json")
                        .json()
                        .get("configChanged")
                        .booleanValue())
                .isFalse();

        cli.whenHostOpened = () -> cli.config("{}");

        assertThat(cli.run("mcp", "status", "--json")
                        .json()
                        .get("configChanged")
                        .booleanValue())
                .isTrue();
    }

    @Test
    @Tag("PRC-4")
    @Tag("CLI-8")
    void saysWhatWasSweptOnStandardErrorAlone() {
        cli.host.notices.add("Ended 2 processes that a killed Postern left behind (server files, pids 12, 13).");

        var result = cli.run("mcp", "tools", "files", "--json");

        assertThat(result.code()).isZero();
        assertThat(result.err())
                .isEqualTo("note: Ended 2 processes that a killed Postern left behind (server files, pids 12, 13).\n");
        assertThat(result.out().lines()).hasSize(1);
        assertThat(result.object().get("server").textValue()).isEqualTo("files");
    }

    @Test
    @Tag("CLI-1")
    void saysNullAndNeverAnEmptyListForToolsThatAreNotKnown() {
        var servers = cli.run("mcp", "status", "--json").json().get("servers");

        assertThat(servers.get(1).get("tools").isNull()).isTrue();
        assertThat(servers.get(1).get("discoveredAt").isNull()).isTrue();
        assertThat(servers.get(0).get("discoveredAt").textValue()).isEqualTo("2026-11-30T12:00:00Z");
    }

    @Test
    @Tag("CFG-1")
    void saysThatMcpIsOffWithoutServers() {
        var empty = new CliHarness(cli.directory);

        var result = empty.run("mcp", "servers");

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("MCP is off", "config.json", "quickstart");
        assertThat(empty.run("mcp", "servers", "--json").out()).isEqualTo("{\"items\":[],\"nextCursor\":null}\n");
    }

    @Test
    void closesTheHostBeforeTheCommandReturns() {
        cli.run("mcp", "tools", "files");

        assertThat(cli.host.closed).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools", "discover"})
    @Tag("CLI-5")
    void refusesAnUnknownServerAsWrongUsage(String command) {
        var result = cli.run("mcp", command, "nobody");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isEqualTo("""
                        error: No server "nobody" is configured in DATA/config.json.
                          See the configured ones with `postern mcp servers`.
                        """);
    }

    @Test
    @Tag("CLI-5")
    @Tag("CLI-8")
    void answersOneErrorObjectWhenAServerIsUnavailable() {
        fail(ErrorCode.START_EXITED);

        var result = cli.run("mcp", "tools", "files", "--json");

        assertThat(result.code()).isEqualTo(4);
        assertThat(result.err()).isEmpty();
        Snapshots.check("mcp-tools-unavailable.json", result.out());
    }

    @Test
    @Tag("PRC-6")
    void namesTheFlagThatShowsStandardErrorWhenAServerDoesNotStart() {
        fail(ErrorCode.START_EXITED);

        assertThat(cli.run("mcp", "tools", "files").err()).contains("exited with code 3", "--show-stderr");
        assertThat(cli.run("mcp", "discover", "files").code()).isZero();
    }

    @Test
    @Tag("PRC-6")
    void printsTheTailOfStandardErrorOnlyWhenAsked() {
        fail(ErrorCode.START_EXITED);
        cli.host.stderr.put("files", "boom\u001b[2J\nlast\n");

        var quiet = cli.run("mcp", "tools", "files");
        var asked = cli.run("mcp", "tools", "files", "--show-stderr");

        assertThat(quiet.err()).doesNotContain("boom");
        assertThat(asked.err())
                .endsWith("--- standard error of server files ---\nboom\\u{1B}[2J\nlast\n--- end ---\n")
                .doesNotContain("--show-stderr");
        assertThat(asked.code()).isEqualTo(4);
    }

    @Test
    @Tag("PRC-6")
    void doesNotAdviseTheFlagToWhoHasGivenIt() {
        cli.host.tools.put(
                "files",
                () -> new Answer.Not<>(new Problem(
                        ErrorCode.START_EXITED, "It ended.", "Add --show-stderr to see why. Check its command.")));

        assertThat(cli.run("mcp", "tools", "files").err()).contains("Add --show-stderr to see why. Check its command.");
        assertThat(cli.run("mcp", "tools", "files", "--show-stderr").err())
                .startsWith("error: It ended.\n  Check its command.\n");
    }

    @Test
    @Tag("PRC-6")
    void doesNotPromiseAnyStandardErrorWhereNothingRan() {
        fail(ErrorCode.START_COMMAND_NOT_FOUND);

        assertThat(cli.run("mcp", "tools", "files").err()).doesNotContain("--show-stderr");
    }

    @Test
    @Tag("CLI-5")
    void endsWith130WhenCancelledWhileWaitingForAServer() {
        cli.host.tools.put("files", () -> {
            cli.cancellation.request();
            assertThat(cli.host.asked).isNotNull().returns(true, Cancellation::requested);
            return new Answer.Not<>(new Problem(ErrorCode.CANCELLED, "Cancelled while it was starting.", ""));
        });

        var result = cli.run("mcp", "tools", "files");

        assertThat(result.code()).isEqualTo(130);
        assertThat(result.err()).isEqualTo("error: Cancelled.\n  Run the command again when you want it after all.\n");
    }

    private void fail(ErrorCode code) {
        cli.host.tools.put(
                "files",
                () -> new Answer.Not<>(new Problem(code, "Server files exited with code 3.", "Check its command.")));
    }
}
