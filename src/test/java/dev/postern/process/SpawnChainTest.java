package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postern.process.Containment.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("PRC-3")
class SpawnChainTest {
    @Test
    void knowsItsOwnProgramsByArgumentsThatAreNotAscii() {
        var tools = Toolbox.system();
        assumeThat(tools.find("setsid")).isNotNull();
        assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
        var chain = Objects.requireNonNull(
                SpawnChain.of(Kind.SESSION, tools, List.of("/opt/é😀/server", "grüß"), View.OF_EVERYTHING, false));

        byte[] spawning = (String.join("\0", chain.command()) + "\0").getBytes(StandardCharsets.UTF_8);
        byte[] server = "/opt/é😀/server\0grüß\0".getBytes(StandardCharsets.UTF_8);

        assertThat(chain.stillSpawning(spawning)).isTrue();
        assertThat(chain.stillSpawning(server)).isFalse();
    }
}
