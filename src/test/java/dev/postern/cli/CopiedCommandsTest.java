package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A command that a message tells to run does what it says when it is copied: it names the data directory where that
/// is not found without.
@Tag("CLI-4")
class CopiedCommandsTest {
    private static final String CONFIG = """
            {"mcpServers": [
              {"id": "files", "enabled": true, "command": "server", "args": [], "tools": ["read_file", "absent*"],
               "environment": {"TOKEN": {"credential": "none"}}}
            ]}
            """;
    private static final String BROKEN = """
            {"mcpServers": [
              {"id": "files", "enabled": true, "command": "server", "args": [], "tools": 1}
            ]}
            """;

    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void makeDirectory() throws IOException {
        cli = new CliHarness(Files.createDirectory(temporary.resolve("a b")));
        SampleRecords.write(cli.directory.resolve("postern.db"));
        cli.config(CONFIG);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs list --limit 2",
                "runs show run_nobody",
                "calls show call_01a22db0",
                "mcp tools nobody",
                "credential list",
                "doctor",
                "worker status",
                "mcp tool",
                "config check"
            })
    void nameADirectoryThatIsNotTheUsualOne(String line) {
        cli.usual = false;
        if (line.startsWith("config")) {
            cli.config(BROKEN);
        }

        var all = new ArrayList<String>();
        for (var words : List.of(line, line + " --json")) {
            var result = cli.run(words.split(" ", -1));
            all.addAll(commandsIn(result.out() + result.err()));
        }
        assertThat(all).isNotEmpty().allMatch(command -> command.startsWith("--data-dir 'DATA' "));
    }

    @Test
    void nameTheDirectoryThatTheCommandItselfNamed() {
        var result = cli.run("runs", "list", "--limit", "1", "--data-dir=" + cli.directory);

        assertThat(result.out()).contains("More: `postern --data-dir 'DATA' runs list --cursor run_");
        assertThat(cli.run("--data-dir", cli.directory.toString(), "mcp", "tool", "--json")
                        .out())
                .contains("`postern --data-dir 'DATA' mcp tools`");
    }

    @Test
    void nameNoDirectoryThatIsFoundWithout() {
        assertThat(cli.run("runs", "list", "--limit", "1").out()).contains("More: `postern runs list --cursor run_");
    }

    /// What stands between backticks, from the word after `postern` on; help and what does not exist excepted.
    private static List<String> commandsIn(String text) {
        var commands = new ArrayList<String>();
        var pieces = text.split("`", -1);
        for (int at = 1; at < pieces.length; at += 2) {
            if (pieces[at].startsWith("postern ")
                    && !pieces[at].contains("--help")
                    && !pieces[at].equals("postern mcp tool")) {
                commands.add(pieces[at].substring("postern ".length()));
            }
        }
        return commands;
    }
}
