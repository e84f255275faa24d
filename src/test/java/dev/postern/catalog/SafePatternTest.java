package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CAT-3")
@Tag("F8")
class SafePatternTest {
    private static @Nullable SafePattern compiled(String text) {
        return SafePattern.compile(text) instanceof SafePattern.Compiled.Ready ready ? ready.pattern() : null;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "b | abc | true",
                "^b | abc | false",
                "^$ | `` | true",
                "a{2,3} | xaax | true",
                "[]a]{2} | ]a | true",
                "[^]]{3} | ab] | false",
                "[[:alpha:]]{2} | a1 | false",
                "\\Qa{1000}\\E | a{1000} | true",
                "a{,5} | a{,5} | true",
                "a{ | a{ | true",
                "\\x{1F600} | 😀 | true",
                "^.$ | 😀 | true",
                "\\p{L}+ | é | true",
                "(?i)^RÉSUMÉ | x | none",
                "(?i)^resume$ | RESUME | true",
                "(?i:a)\\x41 | aA | none",
                "a\\/b\\-c | a/b-c | true",
                "(?<year>\\d{4})-\\d\\d | 2026-11 | true"
            })
    void matchesAnywhereInATextOrIsRefused(String pattern, String text, String expected) {
        SafePattern compiled = compiled(pattern);
        assertThat(compiled == null ? "none" : String.valueOf(compiled.foundIn(text)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{100}){100}){2}",
                "(((a{30}){30}){30}){30}",
                "((a{1000}){1000}){1000}",
                "([a]{1000}){1000}",
                "([]]{1000}){1000}",
                "([[:alpha:]]{1000}){1000}",
                "(\\x{61}{1000}){1000}",
                "(\\Qab\\E{1000}){1000}",
                "(?:(?:a{0,1000}){0,1000})",
                "((|a{1000}){1000}){9}"
            })
    void refusesRepetitionsOfRepetitionsBeforeTheyAreBuilt(String pattern) {
        assertThat(SafePattern.compile(pattern))
                .isInstanceOfSatisfying(
                        SafePattern.Compiled.Refused.class,
                        refused -> assertThat(refused.reason()).contains("over the fixed limit of 4096"));
    }

    @Test
    void refusesDeepGroups() {
        assertThat(compiled("(".repeat(64) + "a" + ")".repeat(64))).isNotNull();
        assertThat(compiled("(".repeat(65) + "a" + ")".repeat(65))).isNull();
        assertThat(compiled("(".repeat(100_000))).isNull();
        assertThat(compiled("(?:".repeat(5_000) + ")".repeat(5_000))).isNull();
    }

    /// Whatever a pattern is made of: it is refused or compiled soon, never with more instructions than
    /// promised.
    @Test
    void settlesOnRandomPatterns() {
        var random = new Random(3);
        String[] pieces = {
            "a",
            "é",
            "(",
            ")",
            "(?:",
            "[",
            "]",
            "^",
            "-",
            "{1000}",
            "{0,900}",
            "{3,}",
            "*",
            "+",
            "?",
            "|",
            "\\",
            "\\Q",
            "\\E",
            "\\pL",
            "\\p{Greek}",
            "\\x{10FFFF}",
            "(?i)",
            "(?s-i:",
            "[^a-z]",
            "[[:word:]]",
            "$",
            "\\b",
            "\\d",
            ".",
            ",",
            "}",
            "{",
            "\\u",
            "\\8"
        };
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            int ready = 0;
            for (int i = 0; i < 60_000; i++) {
                var pattern = new StringBuilder();
                for (int j = 1 + random.nextInt(9); j > 0; j--) {
                    pattern.append(pieces[random.nextInt(pieces.length)]);
                }
                SafePattern compiled = compiled(pattern.toString());
                if (compiled != null) {
                    ready++;
                    assertThat(compiled.size()).isLessThanOrEqualTo(SafePattern.MAX_PROGRAM);
                    compiled.foundIn("aé-");
                }
            }
            assertThat(ready).isGreaterThan(5_000);
        });
    }
}
