package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.process.LaunchProblems.Lack;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("P20")
class LaunchProblemsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cannot run program \"x\": error=11, Die Ressource ist zur Zeit nicht verfügbar|PROCESSES",
                "Cannot run program \"x\": Exec failed, error: 24 (Zu viele offene Dateien) |FILES",
                "Cannot run program \"x\": error=23, Zu viele offene Dateien im System|FILES",
                "error=12, Nicht genügend Hauptspeicher verfügbar|MEMORY",
                "error=11, Resource temporarily unavailable|PROCESSES",
                "Cannot run program \"x\": error=2, Datei oder Verzeichnis nicht gefunden|",
                "Cannot run program \"error=x\": error=13, Keine Berechtigung|",
                "Cannot run program \"x\": error=1, Too many open files|",
                "/dev/null (Too many open files)|FILES",
                "bwrap: Creating new namespace failed: Resource temporarily unavailable|PROCESSES",
                "unshare: fork failed: Cannot allocate memory|MEMORY",
                "bwrap: No permissions to create a new namespace|"
            })
    void tellsWhatRanOutInAnyLanguage(String message, Lack lack) {
        assertThat(LaunchProblems.lackOf(new IOException(message))).isEqualTo(lack);
    }
}
