package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Version;
import dev.postern.cli.render.Terminal;
import dev.postern.config.ModelProvider;
import dev.postern.config.ModelSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that need no server, help, and wrong usage.
class OwnCommandsTest {
    private static final String BROKEN = """
            {
              "mcpServers": [
                {"id": "Bad", "enabled": "yes", "command": "x", "args": [], "tools": [], "colour": 1},
              ]
            }
            """;

    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void configure() {
        cli = new CliHarness(temporary);
    }

    @Test
    @Tag("CLI-9")
    void printsTheVersion() {
        assertThat(cli.run("--version").out()).isEqualTo("postern " + Version.TEXT + "\n");
        assertThat(cli.run("--version", "--json").out()).isEqualTo("{\"version\":\"" + Version.TEXT + "\"}\n");
        assertThat(cli.run("--json", "-V").code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'',help",
        "mcp ,help-mcp",
        "call ,help-call",
        "config ,help-config",
        "credential ,help-credential",
        "credential set ,help-credential-set",
        "mcp tools ,help-mcp-tools",
        "doctor ,help-doctor",
        "completion ,help-completion",
        "quickstart ,help-quickstart"
    })
    @Tag("CLI-4")
    void printsHelpAsTheSnapshotSays(String command, String snapshot) {
        var words = (command.isBlank() ? "--help" : command.strip() + " --help").split(" ", -1);

        var result = cli.run(words);

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        Snapshots.check(snapshot + ".txt", result.out());
    }

    @Test
    @Tag("CLI-8")
    void answersHelpAsOneObjectForPrograms() {
        assertThat(cli.run("call", "--help", "--json").object().get("help").textValue())
                .contains("Usage: postern call");
    }

    @ParameterizedTest
    @CsvSource({
        "cal,Did you mean `postern call`?",
        "serverz,There is no command",
        "help cal,Did you mean `postern call`?",
        "help bogus,There is no command `postern bogus`.",
        "bogus --help,There is no command `postern bogus`.",
        "help mcp statsu,Did you mean `postern mcp status`?",
        "mcp statsu --help,Did you mean `postern mcp status`?",
        "run list,Did you mean `postern runs list`?",
        "calls list,Did you mean `postern runs list`?",
        "run,Did you mean `postern worker run`?",
        "mcp servers --json=1,should be specified without '1' parameter.",
        "'mcp ',An empty word stands after `postern mcp`",
        "servers,Did you mean `postern mcp servers`?",
        "mcp statsu,Did you mean `postern mcp status`?",
        "config chekc,Did you mean `postern config check`?",
        "call files tool --shw-stderr,Did you mean --show-stderr?",
        "mcp tools,SERVER is missing",
        "mcp tools a b,is more than",
        "completion tcsh,completion bash",
        "--data-dir,--data-dir needs a value",
        "mcp status --data-dir a --data-dir b,--data-dir is given twice",
        "credential set,NAME is missing"
    })
    @Tag("CLI-5")
    void endsWithTwoAndAHintWhenWronglyUsed(String line, String hint) {
        var result = cli.run(line.split(" ", -1));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("error: ").contains(hint).doesNotContain("picocli", "Exception");
        assertThat(result.err().lines()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cal --json", "--json mcp bogus", "call --json", "mcp --json", "--json"})
    @Tag("CLI-8")
    void answersOneErrorObjectWhenWronglyUsed(String line) {
        var result = cli.run(line.split(" ", -1));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).isEmpty();
        assertThat(result.object().at("/error/code").textValue()).isEqualTo("usage");
        assertThat(result.object().get("error").fieldNames()).toIterable().containsExactly("code", "message", "next");
    }

    @Test
    @Tag("CLI-5")
    void shovesTheHelpUnderTheNoseOfWhoGivesNoCommand() {
        var result = cli.run();

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("Usage: postern", "error: A command is missing");
    }

    @Test
    @Tag("CFG-7")
    void saysThatAConfigurationIsInOrder() {
        var result = cli.config(Samples.CONFIG).run("config", "check");

        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("DATA/config.json is in order: 3 servers, 2 enabled.\n");
        Snapshots.check(
                "config-check.json", cli.run("config", "check", "--json").out());
    }

    @Test
    @Tag("CFG-1")
    @Tag("CFG-7")
    void saysThatAMissingConfigurationIsInOrder() {
        var result = cli.run("config", "check");

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("does not exist", "MCP is off");
    }

    @Test
    @Tag("CFG-1")
    @Tag("CLI-5")
    @Tag("CLI-8")
    void tellsEveryProblemOfAConfigurationAtOnce() {
        var text = cli.config(BROKEN).run("config", "check");
        var json = cli.run("config", "check", "--json");

        assertThat(text.code()).isEqualTo(3);
        assertThat(text.out()).isEmpty();
        assertThat(json.code()).isEqualTo(3);
        assertThat(json.err()).isEmpty();
        Snapshots.check("config-check-broken.txt", text.err());
        Snapshots.check("config-check-broken.json", json.out());
    }

    @Test
    @Tag("SRV-5")
    void warnsOfWhatLooksLikeASecret() {
        cli.config(Samples.CONFIG.replace("\"/data\"", "\"ghp_0123456789abcdefghijABCDEFGHIJ012345\""));

        var result = cli.run("config", "check");

        assertThat(result.code()).isZero();
        assertThat(result.err())
                .startsWith("warning: ")
                .contains("GitHub token")
                .doesNotContain("ghp_0123456789abcdefghijABCDEFGHIJ012345");
    }

    @Test
    @Tag("DIR-2")
    @Tag("CLI-5")
    void endsWithThreeWhenOthersCanWriteTheDirectory() throws IOException {
        Files.setPosixFilePermissions(cli.directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        var result = cli.run("config", "check");

        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains("chmod 700");
    }

    @Test
    @Tag("DIR-1")
    void takesTheDirectoryBeforeOrAfterTheCommand() {
        cli.config(BROKEN);
        var other = temporary.resolve("other").toString();

        assertThat(cli.run("--data-dir", other, "config", "check").code()).isZero();
        assertThat(cli.run("config", "check", "--data-dir=" + other).code()).isZero();
        assertThat(cli.run("config", "--data-dir", other, "check").code()).isZero();
        assertThat(cli.run("config", "check").code()).isEqualTo(3);
    }

    @Test
    @Tag("CFG-7")
    void printsTheSchemaOfTheConfiguration() {
        var result = cli.run("config", "schema");

        assertThat(result.code()).isZero();
        assertThat(result.object().has("$schema")).isTrue();
        assertThat(cli.run("config", "schema", "--json").object()).isEqualTo(result.object());
    }

    @Test
    @Tag("SEC-6")
    void storesASecretFromStandardInputWithoutItsLineEnd() {
        var result = cli.input("s3cret-value\n").run("credential", "set", "github");

        assertThat(result.code()).isZero();
        assertThat(result.out() + result.err()).doesNotContain("s3cret-value");
        assertThat(cli.directory.resolve("auth/github.json")).content().contains("\"s3cret-value\"");
    }

    @Test
    @Tag("SEC-6")
    void asksForASecretWithoutEchoOnATerminal() {
        cli.terminal = new Terminal(true, true, true, 80, false, "typed-secret"::toCharArray);

        var result = cli.run("credential", "set", "github");

        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("Secret for github");
        assertThat(cli.directory.resolve("auth/github.json")).content().contains("typed-secret");
    }

    @Test
    @Tag("SEC-6")
    void takesNoSecretFromAnArgumentAndDoesNotRepeatIt() {
        var result = cli.run("credential", "set", "github", "ghp_topsecret");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("never given as an argument").doesNotContain("ghp_topsecret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "   \n"})
    @Tag("SEC-6")
    void refusesAnEmptySecret(String input) {
        assertThat(cli.input(input).run("credential", "set", "github").code()).isEqualTo(2);
    }

    @Test
    @Tag("SEC-6")
    @Tag("LIM-3")
    void refusesASecretThatIsTooLong() {
        var result = cli.input("x".repeat(5_000)).run("credential", "set", "github");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("4096");
    }

    @Test
    @Tag("SEC-6")
    void refusesANameThatNoCredentialHas() {
        assertThat(cli.input("s3cret-value").run("credential", "set", "../x").code())
                .isEqualTo(2);
    }

    @Test
    @Tag("SEC-5")
    void saysThatAShortSecretWillNotBeRedacted() {
        assertThat(cli.input("short").run("credential", "set", "github").err()).contains("fewer than 8 characters");
    }

    @Test
    @Tag("SEC-6")
    void listsCredentialsByNameAndWhatIsWrongWithThem() throws IOException {
        cli.input("s3cret-value").run("credential", "set", "github");
        cli.input("s3cret-other").run("credential", "set", "open");
        Files.setPosixFilePermissions(
                cli.directory.resolve("auth/open.json"), PosixFilePermissions.fromString("rw-r--r--"));

        Snapshots.check("credential-list.txt", cli.run("credential", "list").out());
        Snapshots.check(
                "credential-list.json", cli.run("credential", "list", "--json").out());
    }

    @Test
    @Tag("SEC-6")
    void listsNothingAndCreatesNothingWhereNothingIsStored() {
        assertThat(cli.run("credential", "list").out()).contains("No credentials are stored");
        assertThat(cli.run("credential", "list", "--json").out()).isEqualTo("{\"items\":[],\"nextCursor\":null}\n");
        assertThat(cli.directory.resolve("auth")).doesNotExist();
    }

    @Test
    @Tag("SEC-6")
    void removesACredentialOnce() {
        cli.input("s3cret-value").run("credential", "set", "github");

        assertThat(cli.run("credential", "remove", "github").out()).isEqualTo("Credential github removed.\n");
        assertThat(cli.run("credential", "remove", "github").code()).isEqualTo(2);
        assertThat(cli.directory.resolve("auth/github.json")).doesNotExist();
    }

    @Test
    @Tag("CLI-7")
    void findsNothingWrongWhereEverythingIsRight() {
        cli.config(Samples.CONFIG).input("s3cret-value").run("credential", "set", "github");

        var result = cli.run("doctor");

        assertThat(result.code()).isZero();
        Snapshots.check("doctor.txt", result.out());
        Snapshots.check("doctor.json", cli.run("doctor", "--json").out());
    }

    @Test
    @Tag("CLI-5")
    @Tag("CLI-7")
    @Tag("SEC-3")
    void endsWithOneAndRemediesWhenThereAreFindings() {
        cli.config(Samples.CONFIG.replace("\"wild\"", "\"lost\""));
        cli.containment = new Answer.Not<>(new Problem(
                ErrorCode.DOCTOR_FINDINGS, "Servers are not contained: bwrap is missing.", "Install bubblewrap."));

        var result = cli.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        Snapshots.check("doctor-findings.txt", result.out());
        Snapshots.check("doctor-findings.json", cli.run("doctor", "--json").out());
    }

    @Test
    @Tag("CLI-7")
    @Tag("PRC-4")
    void findsWhatKilledHostsLeftBehind() {
        cli.config(Samples.CONFIG);
        cli.leftovers = List.of(new Problem(
                ErrorCode.DOCTOR_FINDINGS,
                "A Postern that was killed left processes of the server \"files\" behind: [12].",
                "The next command that starts a server ends them."));

        var result = cli.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out())
                .contains("finding  run ledger", "server \"files\" behind: [12]. → The next command")
                .doesNotContain("no process is left");
    }

    @Test
    @Tag("CLI-7")
    @Tag("MDL-1")
    void tellsWhichModelAChatWouldAsk() {
        cli.config("{}").localModel = new ModelSettings(
                ModelProvider.OPENAI,
                "qwen3:8b",
                URI.create("http://127.0.0.1:11434/v1"),
                null,
                ModelSettings.Bounds.STANDARD);
        assertThat(cli.run("doctor").out()).contains("none is configured; a chat takes qwen3:8b of the Ollama here");

        cli.config("{\"model\":{\"provider\":\"anthropic\",\"name\":\"m\"}}");
        assertThat(cli.run("doctor").out())
                .contains("anthropic m at https://api.anthropic.com/v1, without a key")
                .doesNotContain("qwen3");
    }

    @Test
    @Tag("CLI-7")
    @Tag("MDL-1")
    @Tag("SEC-5")
    void findsTheKeyOfTheModelOrSaysHowToStoreIt() {
        cli.config("{\"model\":{\"provider\":\"openai\",\"name\":\"m\",\"apiKey\":{\"credential\":\"openai\"}}}");

        var missing = cli.run("doctor");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.out()).contains("model.apiKey needs credential:openai", "postern credential set openai");

        cli.input("k3y").run("credential", "set", "openai");
        assertThat(cli.run("doctor").out())
                .contains("key from credential:openai", "The key is too short to be redacted")
                .doesNotContain("k3y");
    }

    @Test
    @Tag("CLI-7")
    void namesEveryProblemOfABrokenConfigurationInDoctor() {
        var result = cli.config(BROKEN).run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()
                        .lines()
                        .filter(line -> line.startsWith("finding"))
                        .count())
                .isGreaterThan(2);
        assertThat(cli.hostsOpened).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    @Tag("CLI-7")
    void printsACompletionScriptThatKnowsEveryCommand(String shell) {
        var result = cli.run("completion", shell);

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("mcp", "discover", "call", "credential", "quickstart", "show-stderr")
                .doesNotContain("demo-server", "demoserver");
    }

    @Test
    @Tag("CLI-7")
    void completesForFishAsTheSnapshotSays() {
        Snapshots.check("completion.fish", cli.run("completion", "fish").out());
    }

    @Test
    @Tag("CLI-4")
    void coloursOnATerminalThatWantsColourOnly() {
        cli.config(Samples.CONFIG);
        cli.terminal = new Terminal(false, true, true, 80, true, null);
        assertThat(cli.run("doctor").out()).contains("\u001b[32mok");
        assertThat(cli.run("bogus").err()).startsWith("\u001b[31merror:\u001b[0m ");

        cli.terminal = new Terminal(false, true, true, 80, false, null);
        assertThat(cli.run("doctor").out()).doesNotContain("\u001b");

        cli.terminal = new Terminal(false, false, false, 0, true, null);
        assertThat(cli.run("doctor").out()).doesNotContain("\u001b");
    }

    @Test
    @Tag("SEC-6")
    @Tag("CLI-4")
    void saysWhyNothingCanBeTypedWhileOutputGoesElsewhere() {
        cli.terminal = new Terminal(true, false, true, 0, false, () -> null);

        var result = cli.run("credential", "set", "github", "--json");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.json().at("/error/message").asText()).contains("standard output is not");
        assertThat(result.json().at("/error/next").asText()).contains("pipe the secret in");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @Tag("CLI-7")
    void countsOneServerAsOne() {
        cli.config("""
                {"mcpServers": [{"id": "a", "enabled": false, "command": "x", "args": [], "tools": []}]}
                """);

        assertThat(cli.run("doctor").out()).contains("config.json: 1 server\n");
    }

    @Test
    @Tag("CLI-7")
    @Tag("DIR-3")
    void findsARunDirectoryThatOthersMayEnter() throws Exception {
        cli.config("{}");
        Files.createDirectory(cli.directory.resolve("run"));
        Files.setPosixFilePermissions(cli.directory.resolve("run"), PosixFilePermissions.fromString("rwxr-xr-x"));

        var result = cli.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).contains("run directory").contains("Run: chmod 700 DATA/run");
    }

    @Test
    @Tag("SEC-6")
    void judgesTheNameBeforeItAsksForTheSecret() {
        cli.terminal = new Terminal(true, true, true, 80, false, () -> {
            throw new AssertionError("asked");
        });

        var result = cli.run("credential", "set", "My Key");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("can't be the name of a credential").doesNotContain("Secret for");
    }

    @Test
    @Tag("CFG-7")
    void warnsOfAServerThatIsNotSupportedYet() {
        cli.config("""
                {"mcpServers": [{"id": "far", "enabled": true, "tools": [],
                  "transport": {"type": "http", "url": "https://example.com/mcp"}}]}
                """);

        assertThat(cli.run("config", "check").err()).startsWith("warning: Server far is remote");
        assertThat(cli.run("config", "check", "--json")
                        .json()
                        .at("/diagnostics/0/code")
                        .textValue())
                .isEqualTo("server.unsupported");
    }

    @ParameterizedTest
    @CsvSource({"help,--help", "help mcp tools,mcp tools --help", "--json help call,--json call --help"})
    @Tag("CLI-4")
    void takesHelpForTheOption(String word, String option) {
        var asked = cli.run(word.split(" ", -1));

        assertThat(asked.code()).isZero();
        assertThat(asked).isEqualTo(cli.run(option.split(" ", -1)));
    }

    @Test
    @Tag("CLI-3")
    void saysHowArgumentsOfAToolAreWritten() {
        assertThat(cli.run("call", "files", "read", "--head=1").err()).contains("without hyphens: head=1.");
    }

    @Test
    @Tag("CLI-7")
    void foldsFindingsOnATerminal() {
        cli.terminal = new Terminal(false, true, true, 80, false, null);

        assertThat(cli.run("doctor").out().lines())
                .allMatch(line -> line.length() <= 80 + cli.directory.toString().length());
    }
}
