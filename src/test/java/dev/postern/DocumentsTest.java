package dev.postern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Durations;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The documents say what the code does, where both are lists.
class DocumentsTest {
    private static String document(String name) throws Exception {
        return Files.readString(Path.of(name));
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    @Tag("CLI-8")
    void listEveryCode(ErrorCode code) throws Exception {
        assertThat(document("src/docs/json.md")).contains("`" + code.code() + "`");
    }

    @ParameterizedTest
    @EnumSource(Limit.class)
    @Tag("LIM-1")
    void giveEveryLimitItsDefaultAndCeiling(Limit limit) throws Exception {
        var ceiling = limit.ceiling() >= 1 << 20
                ? (limit.ceiling() >> 20) + " MiB"
                : String.format(Locale.ROOT, "%,d", limit.ceiling());

        assertThat(document("src/docs/configuration.md"))
                .contains(String.format(Locale.ROOT, "| `%s` | %,d | %s |", limit.key(), limit.standard(), ceiling));
    }

    @ParameterizedTest
    @EnumSource(Timeout.class)
    @Tag("LIM-1")
    void giveEveryTimeoutItsDefaultAndCeiling(Timeout timeout) throws Exception {
        assertThat(document("src/docs/configuration.md"))
                .contains("| `" + timeout.key() + "` | `" + Durations.text(timeout.standard()) + "` | `"
                        + Durations.text(timeout.ceiling()) + "` |");
    }

    @Test
    void linkOnlyToFilesThatExist() throws Exception {
        var links = Pattern.compile("\\]\\((?!http|#)([^)#]+)");
        for (var name :
                new String[] {"README.md", "src/docs/how-to.md", "src/docs/configuration.md", "src/docs/json.md"}) {
            var directory = Path.of(name).toAbsolutePath().getParent();
            links.matcher(document(name))
                    .results()
                    .forEach(link -> assertThat(directory.resolve(link.group(1)))
                            .as(name)
                            .exists());
        }
    }
}
