package dev.postern.config;

import static dev.postern.config.Configs.accepted;
import static dev.postern.config.Configs.entry;
import static dev.postern.config.Configs.parse;
import static dev.postern.config.Configs.problems;
import static dev.postern.config.Configs.server;
import static dev.postern.config.Configs.stdio;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigOverridesTest {
    @Test
    @Tag("CFG-3")
    void replacesTheWholeListOfServers() {
        var config = accepted(parse(server(""), "[" + entry("other", "") + "]", null))
                .config();

        assertThat(config.servers()).extracting(ServerEntry::id).containsExactly("other");
        assertThat(config.server("files")).isNull();
        assertThat(config.server("other")).isNotNull();
    }

    @Test
    @Tag("CFG-3")
    void turnsEveryServerOffWithAnEmptyArray() {
        assertThat(accepted(parse(server(""), "[]", null)).config().servers()).isEmpty();
    }

    @Test
    @Tag("CFG-3")
    void worksWithoutAFile() {
        assertThat(accepted(parse(null, "[" + entry("a", "") + "]", null))
                        .config()
                        .servers())
                .hasSize(1);
    }

    @Test
    @Tag("CFG-3")
    void keepsTheGlobalSettingsOfTheFile() {
        var config = accepted(parse(
                        "{\"timeouts\":{\"call\":\"3s\"},\"limits\":{\"servers\":1}}",
                        "[" + entry("a", "") + "]",
                        null))
                .config();

        assertThat(config.servers().getFirst().timeouts().get(Timeout.CALL)).isEqualTo(Duration.ofSeconds(3));
        assertThat(problems(
                        parse("{\"limits\":{\"servers\":1}}", "[" + entry("a", "") + "," + entry("b", "") + "]", null)))
                .singleElement()
                .extracting(ConfigProblem::source, ConfigProblem::pointer)
                .containsExactly("POSTERN_MCP_SERVERS", "");
    }

    @Test
    @Tag("CFG-3")
    void namesTheVariableInItsProblems() {
        assertThat(problems(parse(null, "[" + entry("a", "\"x\":1") + "]", null)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.source()).isEqualTo("POSTERN_MCP_SERVERS");
                    assertThat(problem.pointer()).isEqualTo("/0/x");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{}", "null", "[", "[]]", "off"})
    @Tag("CFG-3")
    void refusesWhatIsNoArray(String servers) {
        assertThat(problems(parse(null, servers, null)))
                .singleElement()
                .extracting(ConfigProblem::source)
                .isEqualTo("POSTERN_MCP_SERVERS");
    }

    @Test
    @Tag("CFG-3")
    void reportsMistakesOfTheFileAndOfTheVariablesTogether() {
        assertThat(problems(parse(server("\"x\":1"), "[7]", "many")))
                .extracting(ConfigProblem::source)
                .containsExactly("config.json", "POSTERN_MCP_SERVERS", "POSTERN_TOOL_BYTES");
    }

    @Test
    @Tag("CFG-4")
    void resolvesPathsOfTheVariableAgainstTheWorkingDirectory() {
        String servers = "[" + entry("a", "\"cwd\":\"sub\"").replace("mcp-files", "./bin/x") + "]";
        var launch = stdio(
                accepted(parse(server(""), servers, null)).config().servers().getFirst());

        assertThat(launch.command()).isEqualTo("/where/bin/x");
        assertThat(launch.cwd()).isEqualTo(Path.of("/where/sub"));
    }

    @Test
    @Tag("LIM-2")
    void overridesTheResultBytesEverywhere() {
        var config = accepted(parse(server("\"limits\":{\"resultBytes\":7}"), null, "1000"))
                .config();

        assertThat(config.limits().get(Limit.RESULT_BYTES)).isEqualTo(1000);
        assertThat(config.servers().getFirst().limits().get(Limit.RESULT_BYTES)).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1048577", "1e3", " 5", "lots", "99999999999999999999"})
    @Tag("LIM-2")
    void refusesResultBytesThatAreNoNumberInReach(String bytes) {
        assertThat(problems(parse(null, null, bytes))).singleElement().satisfies(problem -> {
            assertThat(problem.source()).isEqualTo("POSTERN_TOOL_BYTES");
            assertThat(problem.expected()).contains("1 to 1048576").contains("limits.resultBytes");
        });
    }
}
