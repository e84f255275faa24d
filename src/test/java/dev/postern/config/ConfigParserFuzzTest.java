package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.testkit.Cost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// Any bytes as `config.json`, and as the variables that override it.
@Tag("F9")
@Tag("CFG-1")
class ConfigParserFuzzTest {
    @FuzzTest
    @Timeout(60)
    void acceptsOrSaysWhatIsWrongAndWhere(byte[] data) {
        long most = 262_144 + 256L * data.length;
        var file = ConfigText.ofUtf8("config.json", Configs.DATA, data);
        var variable = ConfigText.ofUtf8(ConfigParser.SERVERS_VARIABLE, Configs.WORK, data);

        assertSound(Cost.within(most, () -> ConfigParser.parse(file, null, null)), file.text());
        assertSound(Cost.within(most, () -> ConfigParser.parse(null, variable, variable)), file.text());
    }

    private static void assertSound(ConfigResult result, String text) {
        switch (result) {
            case ConfigResult.Accepted accepted ->
                assertThat(accepted.config().servers().size()).isLessThanOrEqualTo(64);
            case ConfigResult.Rejected rejected -> {
                assertThat(rejected.problems().size()).isBetween(1, Findings.MOST);
                assertThat(rejected.omitted()).isNotNegative();
                for (var problem : rejected.problems()) {
                    assertThat(problem.line()).isBetween(1, lines(text));
                    assertThat(problem.column()).isBetween(1, text.length() + 1);
                    assertThat(problem.text().length()).isLessThanOrEqualTo(1_500);
                    assertThat(problem.text().chars().anyMatch(Character::isISOControl))
                            .as(problem.text())
                            .isFalse();
                }
            }
        }
    }

    private static int lines(String text) {
        return 1 + (int) text.chars().filter(c -> c == '\n' || c == '\r').count();
    }
}
