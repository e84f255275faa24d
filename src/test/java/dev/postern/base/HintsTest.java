package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CLI-4")
class HintsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Run `postern worker restart`.|Run `postern --data-dir '/a b' worker restart`.",
                "`postern mcp tools x`|`postern --data-dir '/a b' mcp tools x`",
                "`postern doctor` or `postern runs list`"
                        + "|`postern --data-dir '/a b' doctor` or `postern --data-dir '/a b' runs list`",
                "Run `postern runs list --help`.|Run `postern runs list --help`.",
                "Use `postern completion bash`, `zsh` or `fish`.|Use `postern completion bash`, `zsh` or `fish`.",
                "`echo x / postern credential set a`|`echo x / postern --data-dir '/a b' credential set a`",
                "Run `postern quickstart`.|Run `postern quickstart`.",
                "An open `postern doctor|An open `postern doctor",
                "Nothing to run.|Nothing to run."
            })
    void nameTheDirectoryInEveryCommandThatHasBusinessWithIt(String given, String completed) {
        assertThat(Hints.in("/a b", given.replace(" / ", " | "))).isEqualTo(completed.replace(" / ", " | "));
    }
}
