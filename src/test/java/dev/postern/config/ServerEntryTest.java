package dev.postern.config;

import static dev.postern.config.Configs.accepted;
import static dev.postern.config.Configs.acceptedServer;
import static dev.postern.config.Configs.acceptedWithWarnings;
import static dev.postern.config.Configs.entry;
import static dev.postern.config.Configs.problem;
import static dev.postern.config.Configs.problems;
import static dev.postern.config.Configs.server;
import static dev.postern.config.Configs.stdio;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.ProtocolPin;
import dev.postern.secret.SecretRef;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerEntryTest {
    @Test
    @Tag("SRV-1")
    void readsEveryKey() {
        var entry = acceptedServer("\"scheduledTools\":[\"list\"],\"approval\":\"auto\",\"parallel\":true,"
                + "\"protocol\":\"legacy\",\"cwd\":\"/srv\",\"environment\":{\"T\":{\"env\":\"MY_TOKEN\"}}");

        assertThat(entry.id()).isEqualTo("files");
        assertThat(entry.enabled()).isTrue();
        assertThat(entry.tools()).containsExactly("read", "list");
        assertThat(entry.scheduledTools()).containsExactly("list");
        assertThat(entry.approval()).isEqualTo(Approval.AUTO);
        assertThat(entry.parallel()).isTrue();
        assertThat(entry.protocol()).isEqualTo(ProtocolPin.LEGACY);
        assertThat(stdio(entry).command()).isEqualTo("mcp-files");
        assertThat(stdio(entry).args()).isEmpty();
        assertThat(stdio(entry).cwd()).isEqualTo(Path.of("/srv"));
        assertThat(stdio(entry).environment()).containsEntry("T", new SecretRef.Env("MY_TOKEN"));
        assertThat(entry.unsupported()).isNull();
    }

    @Test
    @Tag("SRV-1")
    void hasTheDefaultsThatTheSpecificationNames() {
        var entry = acceptedServer("");

        assertThat(entry.scheduledTools()).isEmpty();
        assertThat(entry.approval()).isEqualTo(Approval.ASK);
        assertThat(entry.parallel()).isFalse();
        assertThat(entry.protocol()).isEqualTo(ProtocolPin.AUTO);
        assertThat(stdio(entry).cwd()).isNull();
        assertThat(stdio(entry).environment()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "enabled", "tools", "args"})
    @Tag("SRV-1")
    @Tag("SRV-2")
    void demandsTheRequiredKeys(String key) {
        String whole = "{\"id\":\"a\",\"enabled\":true,\"tools\":[],\"command\":\"x\",\"args\":[]}";
        String without = whole.replaceAll("\"" + key + "\":[^,}]*,?", "").replace(",}", "}");

        assertThat(problem("{\"mcpServers\":[" + without + "]}").message())
                .isEqualTo("the key \"" + key + "\" is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "1a", "-a", "a_b", "a b", "a.b", "ä", "a\\n"})
    @Tag("SRV-1")
    void refusesAnInvalidId(String id) {
        assertThat(problem("{\"mcpServers\":[" + entry(id, "") + "]}").pointer())
                .isEqualTo("/mcpServers/0/id");
    }

    @Test
    @Tag("SRV-1")
    void boundsTheLengthOfAnId() {
        assertThat(accepted("{\"mcpServers\":[" + entry("a".repeat(64), "") + "]}")
                        .servers())
                .hasSize(1);
        assertThat(problem("{\"mcpServers\":[" + entry("a".repeat(65), "") + "]}")
                        .pointer())
                .endsWith("/id");
    }

    @Test
    @Tag("SRV-1")
    void refusesTheIdOfTheBuiltInTools() {
        assertThat(problem("{\"mcpServers\":[" + entry("builtin", "") + "]}").message())
                .contains("reserved");
    }

    @Test
    @Tag("SRV-1")
    void refusesAnIdThatIsTaken() {
        var problem = problem("{\"mcpServers\":[" + entry("a", "") + ",\n" + entry("a", "\"parallel\":true") + "]}");

        assertThat(problem.line()).isEqualTo(2);
        assertThat(problem.pointer()).isEqualTo("/mcpServers/1/id");
        assertThat(problem.message()).contains("taken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allow", "deny", "sandbox"})
    @Tag("SRV-1")
    void refusesKeysOfLaterVersions(String key) {
        assertThat(problem(server("\"" + key + "\":[]")).message()).contains("not supported yet");
    }

    @ParameterizedTest
    @CsvSource({
        "approval, Auto, '\"ask\" or \"auto\"'",
        "approval, never, '\"ask\" or \"auto\"'",
        "protocol, 2025-11-25, '\"auto\" or \"modern\" or \"legacy\"'"
    })
    @Tag("SRV-1")
    void showsTheWordsThatAreKnown(String key, String word, String expected) {
        var problem = problem(server("\"" + key + "\":\"" + word + "\""));

        assertThat(problem.message()).isEqualTo("\"" + key + "\" is \"" + word + "\"");
        assertThat(problem.expected()).isEqualTo(expected);
    }

    @Test
    @Tag("SRV-1")
    void refusesAScheduledToolThatIsNotAllowed() {
        var problem = problem(server("\"scheduledTools\":[\"read\",\"write\"]"));

        assertThat(problem.pointer()).isEqualTo("/mcpServers/0/scheduledTools/1");
        assertThat(problem.message()).contains("\"write\" is not in \"tools\"");
    }

    @Test
    @Tag("SRV-1")
    void refusesToolNamesThatAreEmptyRepeatedOrNoStrings() {
        assertThat(problems("{\"mcpServers\":[{\"id\":\"a\",\"enabled\":true,\"command\":\"x\",\"args\":[],"
                        + "\"tools\":[\"\",\"a\",\"a\"],\"scheduledTools\":[7]}]}"))
                .extracting(ConfigProblem::pointer)
                .containsExactly("/mcpServers/0/tools/0", "/mcpServers/0/tools/2", "/mcpServers/0/scheduledTools/0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "read_*", "a b", "a/b"})
    @Tag("SRV-1")
    void warnsOfToolNamesThatCanNeverBeOffered(String name) {
        var accepted = acceptedWithWarnings("{\"mcpServers\":[{\"id\":\"a\",\"enabled\":true,\"command\":\"x\","
                + "\"args\":[],\"tools\":[\"" + name + "\"]}]}");

        assertThat(accepted.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.pointer()).isEqualTo("/mcpServers/0/tools/0");
            assertThat(warning.next()).contains("without wildcards");
        });
        assertThat(accepted.config().servers().getFirst().tools()).containsExactly(name);
    }

    @ParameterizedTest
    @CsvSource({
        "mcp-files, mcp-files",
        "./bin/files, /data/bin/files",
        "bin/files, /data/bin/files",
        "../bin/files, /data/../bin/files",
        "/usr/bin/files, /usr/bin/files"
    })
    @Tag("CFG-4")
    void resolvesACommandWithASlashBesideTheFile(String written, String command) {
        String file = server("").replace("mcp-files", written);

        assertThat(stdio(accepted(file).servers().getFirst()).command()).isEqualTo(command);
    }

    @ParameterizedTest
    @CsvSource({"sub, /data/sub", "., /data", "./sub, /data/sub", "/srv, /srv"})
    @Tag("CFG-4")
    void resolvesTheDirectoryBesideTheFile(String written, String cwd) {
        assertThat(stdio(acceptedServer("\"cwd\":\"" + written + "\"")).cwd()).isEqualTo(Path.of(cwd));
    }

    @Test
    @Tag("CFG-4")
    void neverResolvesArguments() {
        String file = server("").replace("\"args\":[]", "\"args\":[\"./a\",\"b/c\",\"\"]");

        assertThat(stdio(accepted(file).servers().getFirst()).args()).containsExactly("./a", "b/c", "");
    }

    @Test
    @Tag("SRV-2")
    void warnsOfWhatOnlyAShellWouldUnderstand() {
        assertThat(acceptedWithWarnings(server("").replace("mcp-files", "npx -y files"))
                        .warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.next()).contains("\"args\""));
        assertThat(acceptedWithWarnings(server("\"cwd\":\"~/files\"")).warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).contains("no shell"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"command\":\"\"", "\"command\":\"  \"", "\"command\":\"a\\u0000b\"", "\"command\":7"})
    @Tag("SRV-2")
    void refusesACommandThatCantBeStarted(String command) {
        assertThat(problem(server("").replace("\"command\":\"mcp-files\"", command))
                        .pointer())
                .isEqualTo("/mcpServers/0/command");
    }

    @Test
    @Tag("SRV-2")
    void refusesArgumentsThatAreNoStringsOrHoldANul() {
        assertThat(problems(server("").replace("\"args\":[]", "\"args\":[1,\"a\",null]")))
                .extracting(ConfigProblem::pointer)
                .containsExactly("/mcpServers/0/args/0", "/mcpServers/0/args/2");
        assertThat(problem(server("").replace("\"args\":[]", "\"args\":[\"a\",\"\\u0000\"]"))
                        .pointer())
                .isEqualTo("/mcpServers/0/args/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A-B", "A=B", "Ä", "A\\u0000"})
    @Tag("SRV-2")
    void refusesWhatIsNoNameOfAVariable(String name) {
        var problem = problem(server("\"environment\":{\"" + name + "\":{\"value\":\"x\"}}"));

        assertThat(problem.message()).contains("not a name of an environment variable");
    }

    @Test
    @Tag("SEC-1")
    void readsEveryKindOfReference() {
        var environment = stdio(acceptedServer("\"environment\":{\"A\":{\"env\":\"X_1\"},"
                        + "\"B\":{\"credential\":\"git-hub\"},\"C\":{\"value\":\"\"}}"))
                .environment();

        assertThat(environment)
                .containsEntry("A", new SecretRef.Env("X_1"))
                .containsEntry("B", new SecretRef.Credential("git-hub"))
                .containsEntry("C", new SecretRef.Literal(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"literal\"",
                "7",
                "null",
                "[]",
                "{}",
                "{\"env\":\"A\",\"value\":\"b\"}",
                "{\"envv\":\"A\"}",
                "{\"env\":\"A-B\"}",
                "{\"env\":\"\"}",
                "{\"env\":7}",
                "{\"credential\":\"Git\"}",
                "{\"credential\":\"../x\"}",
                "{\"value\":7}",
                "{\"value\":\"a\\u0000\"}"
            })
    @Tag("SEC-1")
    void refusesWhatIsNoReferenceAndNeverShowsIt(String reference) {
        var problem = problem(server("\"environment\":{\"A\":" + reference + "}"));

        assertThat(problem.pointer()).startsWith("/mcpServers/0/environment/A");
        assertThat(problem.text())
                .doesNotContain("literal\"")
                .doesNotContain("A-B")
                .doesNotContain("../x");
    }

    @Test
    @Tag("SRV-3")
    void acceptsARemoteServerAndSaysThatItIsNotSupportedYet() {
        var entry = accepted("{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[\"x\"],\"transport\":{"
                        + "\"type\":\"http\",\"url\":\"https://example.com/mcp\","
                        + "\"headers\":{\"Authorization\":{\"credential\":\"r\"}},\"oauth\":{}}}]}")
                .servers()
                .getFirst();
        var remote = (Launch.Remote) entry.launch();

        assertThat(remote.type()).isEqualTo(Launch.Remote.Type.HTTP);
        assertThat(remote.url()).hasToString("https://example.com/mcp");
        assertThat(remote.headers()).containsEntry("Authorization", new SecretRef.Credential("r"));
        assertThat(remote.oauth()).isTrue();
        assertThat(entry.unsupported()).isNotNull().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.SERVER_UNSUPPORTED);
            assertThat(problem.message()).contains("not supported yet");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|2",
                "{\"type\":\"http\"}|1",
                "{\"type\":\"stdio\",\"url\":\"https://h/\"}|1",
                "{\"type\":\"http\",\"url\":\"/mcp\"}|1",
                "{\"type\":\"http\",\"url\":\"ftp://h/\"}|1",
                "{\"type\":\"http\",\"url\":\"https://\"}|1",
                "{\"type\":\"http\",\"url\":\"https://u:p@h/\"}|1",
                "{\"type\":\"http\",\"url\":\"https://h/ /\"}|1",
                "{\"type\":\"http\",\"url\":\"https://h/#f\"}|1",
                "{\"type\":\"http\",\"url\":\"https://h/\",\"headers\":{\"A\":\"b\"}}|1",
                "{\"type\":\"http\",\"url\":\"https://h/\",\"headers\":{\"A:\":{\"value\":\"b\"}}}|1",
                "{\"type\":\"http\",\"url\":\"https://h/\",\"headers\":{\"A\":{\"value\":\"b\"},\"a\":{\"value\":\"b\"}}}|1",
                "{\"type\":\"http\",\"url\":\"https://h/\",\"oauth\":true}|1",
                "{\"type\":\"http\",\"url\":\"https://h/\",\"timeout\":1}|1",
                "\"https://h/\"|1"
            })
    @Tag("SRV-3")
    void checksTheShapeOfATransport(String transport, int count) {
        assertThat(problems("{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[],\"transport\":" + transport
                        + "}]}"))
                .hasSize(count)
                .allSatisfy(problem -> assertThat(problem.pointer()).startsWith("/mcpServers/0/transport"));
    }

    @Test
    @Tag("SRV-3")
    void refusesAnEntryThatIsBothOrNeither() {
        String remote = "\"transport\":{\"type\":\"sse\",\"url\":\"http://h/\"}";
        assertThat(problem(server(remote)).message()).contains("both \"command\" and \"transport\"");
        assertThat(problem("{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[]}]}")
                        .message())
                .contains("neither \"command\" nor \"transport\"");
        assertThat(problem("{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[],\"args\":[]," + remote + "}]}")
                        .message())
                .contains("\"args\" does not belong to a remote server");
    }

    @Test
    @Tag("SRV-4")
    void countsDisabledServersAgainstTheLimit() {
        var nine = new StringBuilder();
        for (int i = 0; i < 9; i++) {
            nine.append(i == 0 ? "" : ",\n").append(entry("s" + i, "").replace("true", "false"));
        }
        var problem = problem("{\"mcpServers\":[" + nine + "]}");

        assertThat(problem.line()).isEqualTo(9);
        assertThat(problem.message()).contains("9 servers, disabled ones included, over the limit of 8");
        assertThat(problem.expected()).contains("limits.servers").contains("64");
        assertThat(accepted("{\"limits\":{\"servers\":9},\"mcpServers\":[" + nine + "]}")
                        .servers())
                .hasSize(9);
    }

    @Test
    @Tag("SRV-4")
    void judgesNoMoreEntriesThanAnyConfigurationMayHave() {
        String entries = "0,".repeat(66) + "0";

        assertThat(problems("{\"mcpServers\":[" + entries + "]}"))
                .extracting(ConfigProblem::pointer)
                .contains("/mcpServers", "/mcpServers/63")
                .doesNotContain("/mcpServers/64");
    }

    @Test
    void hasADigestThatChangesWithEveryPartOfTheEntry() {
        String digest = acceptedServer("").digest();

        assertThat(digest)
                .hasSize(64)
                .isEqualTo(acceptedServer("\"approval\":\"ask\"").digest());
        assertThat(Set.of(
                        digest,
                        acceptedServer("\"approval\":\"auto\"").digest(),
                        acceptedServer("\"parallel\":true").digest(),
                        acceptedServer("\"protocol\":\"modern\"").digest(),
                        acceptedServer("\"cwd\":\"/x\"").digest(),
                        acceptedServer("\"scheduledTools\":[\"read\"]").digest(),
                        acceptedServer("\"limits\":{\"pages\":1}").digest(),
                        acceptedServer("\"timeouts\":{\"call\":\"1s\"}").digest(),
                        acceptedServer("\"environment\":{\"A\":{\"env\":\"b\"}}")
                                .digest(),
                        acceptedServer("\"environment\":{\"A\":{\"value\":\"env:b\"}}")
                                .digest()))
                .hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node /x/index.js", "npx -y server", "node ./index.js"})
    @Tag("SRV-2")
    void warnsOfACommandLineInPlaceOfACommand(String command) {
        var warnings = Configs.acceptedWithWarnings(withCommand(command)).warnings();

        assertThat(warnings)
                .singleElement()
                .satisfies(warning -> assertThat(warning.next()).isEqualTo("Put each argument into \"args\"."));
    }

    @Test
    @Tag("SRV-2")
    void takesASpaceInsideAPathForPartOfIt() {
        assertThat(Configs.acceptedWithWarnings(withCommand("/opt/My Tools/server"))
                        .warnings())
                .isEmpty();
    }

    private static String withCommand(String command) {
        return "{\"mcpServers\": [{\"id\": \"a\", \"enabled\": true, \"command\": \"" + command
                + "\", \"args\": [], \"tools\": []}]}";
    }
}
