package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Servers that were given two secrets put both, in every encoding, wherever they can put text. Every command
/// is run, as text and as JSON; then neither what was printed nor any file of the data directory holds them.
@ExtendWith(LeavesNothingBehind.class)
@Tag("SEC-5")
@Tag("K32")
class CanaryIT {
    private static final String PLAIN = "Tk0123456789abcdefGHIJKLMNOPqrstuv";
    private static final String ODD = "p4ss/w\u00f6rd+\"quo\\ted\" & <x>=42";

    /// The commands, and a place of the server's text that each of them shows.
    private static final Map<String, String> COMMANDS = commands();

    @TempDir
    private Path dir;

    @TempDir
    private Path scripts;

    private static Map<String, String> commands() {
        var commands = new LinkedHashMap<String, String>();
        commands.put("mcp tools s", "description-");
        commands.put("mcp discover s", "name-");
        commands.put("call s text {}", "uri-");
        commands.put("call s structure {}", "value-");
        commands.put("call s iserror {}", "words-");
        commands.put("call s rpcerror {}", "error-");
        commands.put("call s broken {}", "property-");
        commands.put("call s strict {\"x\":1}", "required-");
        commands.put("call s noisy {} --show-stderr", "stderr-");
        commands.put("call s dies {} --show-stderr", "last-");
        commands.put("call s unfit {}", "reason-");
        commands.put("mcp tools version", "version-");
        commands.put("mcp tools refuses", "refused-");
        commands.put("mcp tools exits --show-stderr", "startup-");
        commands.put("mcp tools twice", "twin-");
        commands.put("mcp status", "");
        commands.put("mcp servers", "");
        commands.put("doctor", "");
        return commands;
    }

    private static void holdsNoTrace(String where, String text) {
        var bare = text.replaceAll("\\s", "");
        for (var secret : List.of(PLAIN, ODD)) {
            for (var trace : Leaks.traces(secret)) {
                assertThat(bare.contains(trace)).as(where + " holds " + trace).isFalse();
            }
        }
    }

    private Commands configured() throws IOException {
        var auth = Files.createDirectory(
                dir.resolve("auth"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var credential = Files.createFile(
                auth.resolve("canary.json"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(credential, "{\"version\":1,\"provider\":\"canary\",\"key\":\"" + PLAIN + "\"}");
        var references = JsonNodeFactory.instance.objectNode();
        references.set("ONE", JsonNodeFactory.instance.objectNode().put("credential", "canary"));
        references.set("TWO", JsonNodeFactory.instance.objectNode().put("env", "CANARY_TWO"));
        var commands = new Commands(dir, scripts).with("CANARY_TWO", ODD).references(references);
        var leaks = new ArrayList<>(Leaks.of(PLAIN));
        leaks.addAll(Leaks.of(ODD));
        var text = " " + String.join(" ; ", leaks) + " ";
        new Places(Leaks.quoted(text), text).configure(commands);
        return commands;
    }

    @Test
    void comesBackByNoCommandAndStaysInNoFile() throws Exception {
        var commands = configured();

        for (var entry : COMMANDS.entrySet()) {
            for (var json : List.of("", " --json")) {
                var command = entry.getKey() + json;
                var ended = commands.run(command.split(" ", -1));

                var printed = ended.out() + ended.err();
                holdsNoTrace(command + " printed " + printed + ", which", printed);
                if (!entry.getValue().isEmpty()) {
                    assertThat(printed).as(command).containsPattern(entry.getValue() + "\\s*\\[redacted:");
                }
            }
        }
        try (var files = Files.walk(dir)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (!file.startsWith(dir.resolve("auth"))) {
                    // The records are no text.
                    holdsNoTrace(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                }
            }
        }
        assertThat(dir.resolve("run")).isNotEmptyDirectory();
    }
}
