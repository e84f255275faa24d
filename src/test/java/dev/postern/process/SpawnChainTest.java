package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postern.process.Containment.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("PRC-3")
class SpawnChainTest {
    @TempDir
    Path directory;

    @Test
    @Tag("PRC-7")
    void takesPerlForSessionWhereThereIsNoSetsid() throws IOException {
        var tools = LeanTools.in(directory, "perl", "true");
        var target = List.of("/opt/server", "two words", "'\"$HOME`", "", "a\nb", "-e", "--");
        var chain = Objects.requireNonNull(SpawnChain.of(Kind.SESSION, tools, target, View.OF_EVERYTHING, false));

        assertThat(chain.command())
                .startsWith(directory.resolve("perl").toString(), "-C0", "-e")
                .endsWith(target.toArray(new String[0]));
        assertThat(chain.stillSpawning((String.join("\0", chain.command()) + "\0").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(chain.complained("perl: setsid: Operation not permitted")).isTrue();
        assertThat(chain.depth()).isZero();
    }

    @Test
    @Tag("PRC-7")
    void prefersSetsidToPerl() throws IOException {
        var tools = LeanTools.in(directory, "setsid", "perl");
        var chain = Objects.requireNonNull(
                SpawnChain.of(Kind.SESSION, tools, List.of("/opt/server"), View.OF_EVERYTHING, false));

        assertThat(chain.command()).containsExactly(directory.resolve("setsid").toString(), "/opt/server");
    }

    @Test
    void hasNoSessionWithoutTheTwo() throws IOException {
        var tools = LeanTools.in(directory, "true");

        assertThat(SpawnChain.of(Kind.SESSION, tools, List.of("/opt/server"), View.OF_EVERYTHING, false))
                .isNull();
    }

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
