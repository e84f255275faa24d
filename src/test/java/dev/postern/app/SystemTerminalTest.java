package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.cli.render.Terminal;
import dev.postern.secret.source.HostEnvironment;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-4")
class SystemTerminalTest {
    @AfterEach
    void forgetsTheTerminal() {
        System.clearProperty("postern.terminal");
        System.clearProperty("postern.columns");
    }

    private static Terminal find(String terminals, String columns, Map<String, String> environment) {
        System.setProperty("postern.terminal", terminals);
        System.setProperty("postern.columns", columns);
        return SystemTerminal.find(HostEnvironment.of(environment));
    }

    @Test
    void takesWhatTheLauncherFoundOut() {
        var terminal = find("02", "80", Map.of("TERM", "xterm"));

        assertThat(terminal.input()).isTrue();
        assertThat(terminal.output()).isFalse();
        assertThat(terminal.error()).isTrue();
        assertThat(terminal.width()).isEqualTo(80);
        assertThat(terminal.colour()).isTrue();
        assertThat(terminal.prompt()).isNotNull();
    }

    @Test
    void knowsNoTerminalWithoutTheLauncher() {
        var terminal = SystemTerminal.find(HostEnvironment.of(Map.of()));

        assertThat(terminal.input() || terminal.output() || terminal.error()).isFalse();
        assertThat(terminal.width()).isZero();
        assertThat(terminal.prompt()).isNull();
    }

    @Test
    void leavesColourOutWhereItIsNotWanted() {
        assertThat(find("012", "80", Map.of("NO_COLOR", "1")).colour()).isFalse();
        assertThat(find("012", "80", Map.of("TERM", "dumb")).colour()).isFalse();
        assertThat(find("012", "80", Map.of("NO_COLOR", "")).colour()).isTrue();
    }

    @Test
    void takesAWidthThatIsNoNumberForUnknown() {
        assertThat(find("1", "wide", Map.of()).width()).isZero();
        assertThat(find("1", "-3", Map.of()).width()).isZero();
    }
}
