package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CFG-1")
class NearestTest {
    private static final List<String> NAMES = List.of("enabled", "command", "scheduledTools", "tools", "id");

    @ParameterizedTest
    @CsvSource({
        "enbaled, enabled",
        "Enabled, enabled",
        "comand, command",
        "comands, command",
        "scheduled-tools, scheduledTools",
        "scheduled, scheduledTools",
        "tool, tools",
        "ID, id"
    })
    void findsWhatWasMeant(String typed, String meant) {
        assertThat(Nearest.of(typed, NAMES)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"zzzz", "x", "''", "password"})
    void findsNothingWhereNothingIsNear(String typed) {
        assertThat(Nearest.of(typed, NAMES)).isNull();
    }

    @Test
    void doesNotCompareWhatNobodyTypes() {
        assertThat(Nearest.of("tools".repeat(100_000), NAMES)).isNull();
    }
}
