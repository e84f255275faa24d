package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// As [CanaryIT], with secrets of any length and alphabet, whose forms a server scatters at any offset over text
/// blocks, structured content, errors and standard error. The seed is the test's parameter: a failure names it.
@ExtendWith(LeavesNothingBehind.class)
@Tag("SEC-5")
@Tag("K32")
class RandomCanaryIT {
    private static final List<String> ALPHABETS = List.of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "abcdef0123456789",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
            "a1\"\\/&<>'%+=?#{}[]:,;$`~|!@^*()-_. ",
            "äöüßéñçøλжд中文日本語한글aZ9");
    private static final int SHORTEST = 8;
    private static final int LONGEST = 72;
    private static final List<String> COMMANDS = List.of(
            "call s text {}",
            "call s structure {} --json",
            "call s iserror {}",
            "call s rpcerror {} --json",
            "call s noisy {} --show-stderr",
            "call s text {} --json",
            "mcp discover s --json");

    @TempDir
    private Path dir;

    @TempDir
    private Path scripts;

    private static String secret(Random random) {
        var alphabet = ALPHABETS.get(random.nextInt(ALPHABETS.size()));
        int length = SHORTEST + random.nextInt(LONGEST - SHORTEST + 1);
        var secret = new StringBuilder();
        while (secret.length() < length) {
            secret.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        // Blanks around it belong to whoever typed it.
        return secret.toString().strip().length() < SHORTEST
                ? secret(random)
                : secret.toString().strip();
    }

    private static String scattered(Random random, List<String> secrets) {
        var text = new StringBuilder();
        for (var secret : secrets) {
            for (var leak : Leaks.of(secret)) {
                text.append(" ".repeat(1 + random.nextInt(3)))
                        .append("x.-#".repeat(random.nextInt(3)))
                        .append(random.nextBoolean() ? "<" : " ")
                        .append(leak)
                        .append(random.nextBoolean() ? ">" : " ");
            }
        }
        return text.append(' ').toString();
    }

    private static void holdNoTrace(String where, String text, List<String> secrets) {
        var bare = text.replaceAll("\\s", "");
        for (var secret : secrets) {
            for (var trace : Leaks.traces(secret)) {
                assertThat(bare.contains(trace))
                        .as(where + " holds " + trace + " of " + secret)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noFormOfAnySecretComesBackOrIsKept(long seed) throws Exception {
        var random = new Random(seed);
        var secrets = List.of(secret(random), secret(random));
        var references = JsonNodeFactory.instance.objectNode();
        references.putObject("ONE").put("env", "CANARY_ONE");
        references.putObject("TWO").put("env", "CANARY_TWO");
        var commands = new Commands(dir, scripts)
                .with("CANARY_ONE", secrets.getFirst())
                .with("CANARY_TWO", secrets.getLast())
                .references(references);
        var text = scattered(random, secrets);
        new Places(Leaks.quoted(text), text).configure(commands);

        for (var command : COMMANDS) {
            var ended = commands.run(command.split(" ", -1));

            assertThat(ended.out() + ended.err()).as(command).contains("[redacted:CANARY_");
            holdNoTrace(command + " on standard output", ended.out(), secrets);
            holdNoTrace(command + " on standard error", ended.err(), secrets);
        }
        assertThat(dir.resolve("postern.db")).exists();
        for (var file : kept()) {
            // The records are no text.
            holdNoTrace(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8), secrets);
        }
    }

    private List<Path> kept() throws IOException {
        try (var files = Files.walk(dir)) {
            return new ArrayList<>(files.filter(Files::isRegularFile).toList());
        }
    }
}
