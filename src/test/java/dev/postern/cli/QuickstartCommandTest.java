package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;
import dev.postern.host.Host.ListedTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("CLI-7")
class QuickstartCommandTest {
    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void playTheDemoServer() {
        cli = new CliHarness(temporary);
        cli.host.listed.put(
                "demo",
                () -> new Answer.Here<>(List.of(
                        new ListedTool("add", "Adds two numbers.", true, false, null),
                        new ListedTool("delete_everything", "Deletes everything.", false, false, null))));
        cli.host.outcomes.put("add", new Outcome.Succeeded(FakeHost.result("42")));
        cli.host.schemas.put(
                "add",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},\"b\":{\"type\":\"number\"}}}");
        cli.host.outcomes.put(
                "delete_everything",
                new Outcome.Refused(
                        new Problem(ErrorCode.POLICY_NOT_ALLOWED, "delete_everything is not allowed.", "Allow it.")));
        cli.host.outcomes.put("show_token", new Outcome.Succeeded(FakeHost.result("It is [redacted:demo-token].")));
    }

    @Test
    void walksThroughEverythingAndLeavesNothingBehind() {
        var result = cli.run("quickstart");

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains(
                        "\"credential\": \"demo-token\"",
                        "postern mcp discover demo",
                        "postern call demo add a=2 b=40\n42\n",
                        "Refused before anything was sent",
                        "[redacted:demo-token]",
                        "@modelcontextprotocol/server-filesystem");
        assertThat(cli.host.sent).hasToString("[{\"a\":2,\"b\":40}, {}]");
        assertThat(cli.hostsOpened)
                .hasSize(1)
                .allSatisfy(path -> assertThat(path).doesNotExist());
    }

    @Test
    void showsItAllOnOneStream() {
        var result = cli.run("quickstart");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("error: delete_everything is not allowed.", "(exit code 7)");
    }

    @Test
    void endsWithLinesThatCanBePasted() {
        var fresh = temporary.resolve("not yet");

        assertThat(cli.run("quickstart", "--data-dir", fresh.toString()).out())
                .contains("mkdir -p -m 700 '" + fresh + "'\n", fresh + "/config.json");
    }

    @Test
    @Tag("CLI-8")
    void answersOneObjectForPrograms() {
        var object = cli.run("quickstart", "--json").object();

        assertThat(object.fieldNames())
                .toIterable()
                .containsExactly("dataDirectory", "config", "tools", "calls", "next");
        assertThat(object.get("calls")).hasSize(3);
    }

    @Test
    void neverMeetsTheServersOfItsUser() {
        cli.environment.put("POSTERN_MCP_SERVERS", "not even JSON");
        cli.environment.put("POSTERN_TOOL_BYTES", "-1");

        assertThat(cli.run("quickstart").code()).isZero();
    }

    @Test
    void failsWhenASecretIsNotRedacted() {
        var secret = new AtomicReference<String>("");
        cli.host.duringCall = () -> {
            secret.set(storedSecret());
            cli.host.outcomes.put("show_token", new Outcome.Succeeded(FakeHost.result("It is " + secret.get())));
        };

        assertThat(cli.run("quickstart").code()).isEqualTo(1);
        assertThat(secret.get()).startsWith("demo-");
    }

    @Test
    void failsWhenACallThatIsNotAllowedGoesThrough() {
        cli.host.outcomes.put("delete_everything", new Outcome.Succeeded(FakeHost.result("gone")));

        assertThat(cli.run("quickstart").code()).isEqualTo(1);
    }

    @Test
    void leavesNothingBehindWhenTheServerDoesNotStart() {
        cli.host.listed.put(
                "demo", () -> new Answer.Not<>(new Problem(ErrorCode.START_EXITED, "It exited with code 1.", "")));

        var result = cli.run("quickstart");

        assertThat(result.code()).isEqualTo(4);
        assertThat(cli.hostsOpened).allSatisfy(path -> assertThat(path).doesNotExist());
    }

    @Test
    @Tag("CLI-5")
    void leavesNothingBehindWhenCancelled() {
        cli.host.duringCall = cli.cancellation::request;

        var result = cli.run("quickstart");

        assertThat(result.code()).isEqualTo(130);
        assertThat(cli.hostsOpened).allSatisfy(path -> assertThat(path).doesNotExist());
    }

    @Test
    void canBeTidiedUpByASecondCtrlC() {
        cli.host.duringCall = () -> {
            cli.host.duringCall = () -> {};
            assertThat(cli.hostsOpened.getFirst()).isDirectory();
            if (cli.running != null) {
                cli.running.abandon();
            }
            assertThat(cli.hostsOpened.getFirst()).doesNotExist();
        };

        assertThat(cli.run("quickstart").code()).isZero();
    }

    private String storedSecret() {
        try {
            var text = Files.readString(cli.hostsOpened.getFirst().resolve("auth/demo-token.json"));
            return text.replaceFirst("(?s).*\"key\" *: *\"([^\"]*)\".*", "$1");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
