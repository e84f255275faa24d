package dev.postern.config;

import static dev.postern.config.Configs.accepted;
import static dev.postern.config.Configs.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Retention;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("STO-2")
@Tag("CFG-2")
class StorageReaderTest {
    @Test
    void keepsNinetyDaysAndOneGibibyteUnlessToldOtherwise() {
        assertThat(accepted("{}").retention()).isEqualTo(new Retention(Duration.ofDays(90), 1L << 30));
        assertThat(accepted("{\"storage\":{}}").retention()).isEqualTo(Retention.STANDARD);
    }

    @Test
    void takesEachKeyByItself() {
        assertThat(accepted("{\"storage\":{\"days\":7}}").retention())
                .isEqualTo(new Retention(Duration.ofDays(7), 1L << 30));
        assertThat(accepted("{\"storage\":{\"bytes\":5000000000}}").retention())
                .isEqualTo(new Retention(Duration.ofDays(90), 5_000_000_000L));
    }

    @Test
    void outlivesServersFromTheEnvironmentAndTheirLimit() {
        var config = accepted(Configs.parse("{\"storage\":{\"days\":7}}", "[]", "1000"))
                .config();

        assertThat(config.retention().age()).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void namesTheValueAndItsBound() {
        assertThat(problem("{\"storage\":{\"days\":0}}").message()).isEqualTo("storage.days is 0");
        assertThat(problem("{\"storage\":{\"days\":4000}}").message())
                .isEqualTo("storage.days is 4000, over its ceiling of 3650");
        assertThat(problem("{\"storage\":{\"bytes\":1000}}").message())
                .isEqualTo("storage.bytes is 1000, under its least of 1048576");
        assertThat(problem("{\"storage\":{\"bytes\":1.5}}").message())
                .isEqualTo("storage.bytes is not written in plain digits");
        assertThat(problem("{\"storage\":{\"bytes\":1000}}").expected())
                .isEqualTo("a whole number from 1048576 to 1099511627776");
    }

    @Test
    void isTheSameInTheDocuments() throws Exception {
        assertThat(Files.readString(Path.of("src/docs/configuration.md")))
                .contains("| `storage.days` | 90 | 3,650 |", "| `storage.bytes` | 1,073,741,824 | 1 TiB |");
    }
}
