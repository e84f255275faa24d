package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CFG-6")
class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "8s, PT8S",
        "2m, PT2M",
        "1h, PT1H",
        "0s, PT0S",
        "007s, PT7S",
        "999999999h, PT999999999H"
    })
    void readsTheFourUnits(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "8",
                "8 s",
                " 8s",
                "8s ",
                "8S",
                "-8s",
                "+8s",
                "1.5s",
                "1h30m",
                "8d",
                "8sec",
                "٣s",
                "1234567890s"
            })
    void refusesEveryOtherForm(String text) {
        assertThat(Durations.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1ms", "999ms", "8s", "90s", "2m", "90m", "1h", "0s"})
    void writesTheShortestExactForm(String text) {
        assertThat(Durations.text(Duration.ZERO.plus(Durations.parse(text)))).isEqualTo(text);
    }
}
