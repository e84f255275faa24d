package dev.postern.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.secret.Redactor;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SEC-5")
class WordStreamTest {
    private static final String SECRET = "s3cr3t-token-0123456789";

    private final List<String> passed = new ArrayList<>();
    private final WordStream stream =
            new WordStream(new Redactor(List.of(new SecretValue("token", SECRET))), passed::add);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 22, 23, 24, 100})
    void findsASecretWhereverTheStreamIsCut(int size) {
        var text = "It is " + SECRET + "; keep " + SECRET + SECRET + "\nwell.";

        for (int at = 0; at < text.length(); at += size) {
            stream.accept(text.substring(at, Math.min(text.length(), at + size)));
        }
        stream.end();

        assertThat(String.join("", passed))
                .isEqualTo("It is [redacted:token]; keep [redacted:token][redacted:token]\nwell.");
    }

    @Test
    void passesEachWordOnOnceItIsWhole() {
        stream.accept("one tw");
        assertThat(passed).containsExactly("one ");
        stream.accept("o three");
        assertThat(passed).containsExactly("one ", "two ");
        stream.end();
        assertThat(passed).containsExactly("one ", "two ", "three");
    }

    @Test
    @Tag("LIM-3")
    void keepsNoEndlessWord() {
        for (int i = 0; i < 100; i++) {
            stream.accept("x".repeat(1_000));
        }

        assertThat(String.join("", passed).length()).isGreaterThan(90_000);
    }
}
