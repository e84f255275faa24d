package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

/// The two ways to read a command line must not differ.
@Tag("CLI-3")
class PlainLineTest {
    private static final List<String> BEGINNINGS = List.of(
            "mcp servers",
            "mcp tools",
            "call",
            "config check",
            "credential set",
            "credential list",
            "doctor",
            "completion",
            "quickstart",
            "mcp",
            "bogus");
    private static final List<String> WORDS = List.of(
            "--json",
            "--data-dir",
            "dir",
            "files",
            "call",
            "a=1",
            "{\"a\":1}",
            "",
            "@file",
            "--help",
            "-i",
            "-",
            "--",
            "-5",
            "--data-dir=x",
            "--show-stderr",
            "--bogus",
            "name with blanks",
            "\"quoted\"",
            "'",
            "a,b");

    @Test
    void readsWhatPicocliReads() {
        var random = new Random(17);
        int plain = 0;
        for (int round = 0; round < 1_000; round++) {
            var words = new ArrayList<>(
                    List.of(BEGINNINGS.get(random.nextInt(BEGINNINGS.size())).split(" ", -1)));
            for (int count = random.nextInt(5); count > 0; count--) {
                words.add(random.nextInt(words.size() + 1), WORDS.get(random.nextInt(WORDS.size())));
            }
            plain += agrees(words) ? 1 : 0;
        }
        assertThat(plain).as("command lines that were plain").isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config check",
                "--json config check --data-dir x",
                "--data-dir x mcp --json tools files",
                "call files tool",
                "call files tool a=1 b= c=x=y",
                "credential set github",
                "quickstart",
                "demo-server"
            })
    void readsTheUsualOnesItself(String line) {
        assertThat(agrees(List.of(line.split(" ", -1)))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "config",
                "mcp tools",
                "mcp tools a b",
                "config check --json --json",
                "config check --data-dir",
                "config check --data-dir --json",
                "call files tool -i -",
                "call files tool -- -x=1",
                "call files",
                "doctor --help",
                "bogus"
            })
    void leavesTheOthersToPicocli(String line) {
        assertThat(PlainLine.of(List.of(line.split(" ", -1)))).isNull();
    }

    /// True when the line was plain.
    private static boolean agrees(List<String> words) {
        var plain = PlainLine.of(words);
        if (plain == null) {
            return false;
        }
        ParseResult result = Commands.all(0).parseArgs(words.toArray(String[]::new));
        String dataDir = new ParsedLine(result).option(Shapes.DATA_DIR);
        while (result.hasSubcommand()) {
            result = result.subcommand();
            dataDir = result.matchedOptionValue(Shapes.DATA_DIR, dataDir);
        }
        assertThat(result.commandSpec().userObject())
                .hasSameClassAs(plain.name().command());
        var parsed = new ArrayList<String>();
        result.matchedPositionals().forEach(positional -> parsed.addAll(positional.stringValues()));
        assertThat(parsed).as(words.toString()).isEqualTo(plain.parameters());
        assertThat(dataDir).isEqualTo(plain.dataDir());
        return true;
    }
}
