package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;
import dev.postern.call.ToolResult;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallCommandTest {
    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void configure() {
        cli = new CliHarness(temporary).config(Samples.CONFIG);
    }

    @Test
    @Tag("CLI-3")
    void printsTheTextOfTheResultAndNothingElse() {
        outcome(new Outcome.Succeeded(FakeHost.result("line 1\nline 2\n", "more")));

        var result = call();

        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("line 1\nline 2\nmore\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @Tag("CAT-5")
    @Tag("F35")
    void showsWhatTheToolWroteWithoutObeyingIt() {
        outcome(new Outcome.Succeeded(FakeHost.result(Samples.HOSTILE)));

        assertThat(call().out())
                .isEqualTo(
                        "nice\\u{1B}[2J\\u{9B}1m \\u{202E}gnol\\u{202C} \\u{200B}hidden\\u{E0041}\\u{7}\n日本 tool😀\n");
    }

    @Test
    void printsStructuredContentWhereThereIsNoText() {
        outcome(new Outcome.Succeeded(FakeHost.structured("{\"sum\":3.10,\"n\":1E400}")));

        assertThat(call().out()).isEqualTo("{\"sum\": 3.10, \"n\": 1E400}\n");
    }

    @Test
    void printsTheTextOfEmbeddedResources() {
        var plain = FakeHost.result();
        plain.content()
                .addObject()
                .put("type", "resource")
                .putObject("resource")
                .put("text", "inside");
        outcome(new Outcome.Succeeded(plain));

        assertThat(call().out()).isEqualTo("inside\n");
    }

    @Test
    void saysThatAToolReturnedNothing() {
        outcome(new Outcome.Succeeded(FakeHost.result()));

        assertThat(call().out()).isEmpty();
        assertThat(call().err()).contains("returned nothing");
    }

    @Test
    @Tag("RES-2")
    void tellsWhatIsMissingFromTheResultOnStandardError() {
        var content = FakeHost.result("text").content();
        outcome(new Outcome.Succeeded(
                new ToolResult(content, null, true, new TreeMap<>(Map.of("image", 2, "audio", 1)), true, 3)));

        var result = call();

        assertThat(result.out()).isEqualTo("text\n");
        Snapshots.check("call-notes.txt", result.err());
    }

    @Test
    @Tag("CLI-8")
    @Tag("RES-2")
    void answersTheWholeResultForPrograms() {
        var content = FakeHost.result("text\u001b[2J").content();
        outcome(new Outcome.Succeeded(new ToolResult(
                content, FakeHost.json("{\"sum\":3.10}"), true, new TreeMap<>(Map.of("image", 2)), false, 3)));

        var result = cli.run("call", "files", "tool", "--json");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        Snapshots.check("call-succeeded.json", result.out());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "failed,RESULT_ERROR,5",
        "refused,POLICY_NOT_ALLOWED,7",
        "not-sent,START_EXITED,4",
        "unknown,UNKNOWN_DEADLINE,6",
        "cancelled,UNKNOWN_CANCELLED,130"
    })
    @Tag("CLI-5")
    @Tag("CLI-8")
    @Tag("CAL-2")
    void tellsHowACallEndedThatDidNotSucceed(String name, ErrorCode code, int exit) {
        var problem = new Problem(code, "Seen here.", "Do this.");
        outcome(
                switch (name) {
                    case "failed" -> new Outcome.Failed(problem, FakeHost.result("what the tool said"));
                    case "refused" -> new Outcome.Refused(problem);
                    case "not-sent" -> new Outcome.NotSent(problem);
                    default -> new Outcome.Unknown(problem);
                });

        var text = call();
        var json = cli.run("call", "files", "tool", "--json");

        assertThat(text.code()).isEqualTo(exit);
        assertThat(text.out()).isEmpty();
        assertThat(json.code()).isEqualTo(exit);
        assertThat(json.err()).isEmpty();
        Snapshots.check("call-" + name + ".txt", text.err());
        Snapshots.check("call-" + name + ".json", json.out());
    }

    @Test
    @Tag("CLI-3")
    void typesPairsByTheSchemaOfTheTool() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.host.schemas.put(
                "tool",
                "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}," + "\"s\":{\"type\":\"string\"}}}");

        cli.run("call", "files", "tool", "n=17", "s=17");

        assertThat(cli.host.sent).hasToString("[{\"n\":17,\"s\":\"17\"}]");
    }

    @Test
    @Tag("CLI-3")
    @Tag("WIR-3")
    void sendsJsonAsItWasWritten() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        var json = "{\"n\":123456789012345678901234567890.10,\"-x\":null}";

        cli.run("call", "files", "tool", json);

        assertThat(StrictJson.text(cli.host.sent.getFirst())).isEqualTo(json);
    }

    @Test
    @Tag("CLI-3")
    void readsArgumentsFromStandardInput() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.input("{\"a\": 1}");

        cli.run("call", "files", "tool", "-i", "-");

        assertThat(cli.host.sent).hasToString("[{\"a\":1}]");
    }

    @Test
    @Tag("CLI-3")
    void takesAWordThatBeginsWithAnAtSignForAnArgumentAndReadsNoFile() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));

        var result = cli.run("call", "files", "tool", "@/etc/passwd");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("'@/etc/passwd' is neither");
    }

    @Test
    @Tag("CLI-5")
    void refusesJsonThatDoesNotParseBeforeLookingAtTheConfiguration() {
        cli.config("not JSON at all");

        var result = cli.run("call", "files", "tool", "{");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("line 1, column 2");
        assertThat(cli.hostsOpened).isEmpty();
    }

    @Test
    @Tag("CLI-5")
    @Tag("CFG-1")
    void startsNothingWithABrokenConfiguration() {
        cli.config("{\"mcpServers\": [{\"id\": \"x\"}]}");

        assertThat(call().code()).isEqualTo(3);
        assertThat(cli.hostsOpened).isEmpty();
    }

    @Test
    @Tag("CLI-3")
    @Tag("CLI-5")
    @Tag("CLI-8")
    void tellsAPairThatCannotBeTypedAsWrongUsage() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));

        var text = cli.run("call", "files", "tool", "a=1");
        var json = cli.run("call", "files", "tool", "a=1", "--json");

        assertThat(text.code()).isEqualTo(2);
        assertThat(json.code()).isEqualTo(2);
        assertThat(json.object().fieldNames()).toIterable().containsExactly("error");
        assertThat(json.object().at("/error/code").textValue()).isEqualTo("usage.arguments");
    }

    @Test
    @Tag("CLI-5")
    void refusesArgumentsOverEveryLimitWithSeven() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.input("{\"a\":\"" + "x".repeat(1 << 20) + "\"}");

        var result = cli.run("call", "files", "tool", "-i", "-");

        assertThat(result.code()).isEqualTo(7);
        assertThat(result.err()).contains("1048576", "limits.argumentBytes");
    }

    @Test
    @Tag("PRC-6")
    void showsTheTailOfStandardErrorAfterTheResult() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.host.stderr.put("files", "a log line\n");

        var result = cli.run("call", "files", "tool", "--show-stderr");

        assertThat(result.out()).isEqualTo("x\n");
        assertThat(result.err()).contains("a log line");
    }

    @Test
    @Tag("PRC-6")
    @Tag("CLI-8")
    void keepsStandardOutputToOneObjectWhenStandardErrorIsShown() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));

        var result = cli.run("call", "files", "tool", "--show-stderr", "--json");

        assertThat(result.out().lines()).hasSize(1);
        assertThat(result.err()).contains("wrote nothing to standard error");
    }

    @Test
    @Tag("CLI-6")
    void endsQuietlyWithTheCodeOfTheOutcomeWhenTheReaderHasGone() {
        outcome(new Outcome.Succeeded(FakeHost.result("x".repeat(1_000_000))));
        cli.out = failing("Broken pipe");

        var result = call();

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    @Tag("CLI-5")
    @Tag("CLI-6")
    void endsWithOneWhenTheOutputDoesNotFitOnTheDisk() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.out = failing("No space left on device");

        var result = call();

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("No space left on device", "incomplete");
    }

    @Test
    @Tag("CLI-5")
    @Tag("CLI-8")
    void answersOneObjectForAFaultOfOurs() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.host.duringCall = () -> {
            throw new IllegalStateException("wires crossed");
        };

        var text = call();
        var json = cli.run("call", "files", "tool", "--json");

        assertThat(text.code()).isEqualTo(1);
        assertThat(text.err()).startsWith("error: Postern failed: IllegalStateException at dev.postern");
        assertThat(text.err().lines()).hasSize(2);
        assertThat(json.code()).isEqualTo(1);
        assertThat(json.object().at("/error/code").textValue()).isEqualTo("internal");
    }

    @Test
    @Tag("CLI-8")
    void answersOneObjectEvenWhenClosingFails() {
        outcome(new Outcome.Succeeded(FakeHost.result("x")));
        cli.host.whenClosed = () -> {
            throw new IllegalStateException("stuck");
        };

        var json = cli.run("call", "files", "tool", "--json");

        assertThat(json.code()).isEqualTo(1);
        assertThat(json.out().lines()).hasSize(1);
        assertThat(json.err()).contains("IllegalStateException").doesNotContain("stuck");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call",
                "call files",
                "call files tool -i",
                "call files tool -i - -i -",
                "call files tool --bogus"
            })
    @Tag("CLI-5")
    void refusesACallThatIsNotComplete(String line) {
        var result = cli.run(line.split(" ", -1));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).startsWith("error: ").contains("`postern call --help`");
        assertThat(cli.hostsOpened).isEmpty();
    }

    private void outcome(Outcome outcome) {
        cli.host.outcomes.put("tool", outcome);
    }

    private CliHarness.Result call() {
        return cli.run("call", "files", "tool");
    }

    private static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
