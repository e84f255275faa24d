package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ModelSettings.Bounds;
import dev.postern.secret.SecretRef;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("MDL-1")
@Tag("CFG-2")
class AgentReaderTest {
    @Test
    void readsNoModelWhereNoneIsWritten() {
        assertThat(accepted("{}").config().model()).isNull();
        assertThat(accepted("{}").config().run()).isEqualTo(RunLimits.STANDARD);
    }

    @Test
    void readsEveryKey() {
        var config = accepted(
                        "{\"model\":{\"provider\":\"openai\",\"name\":\"qwen3:8b\",\"baseUrl\":\"https://h:1/v1//\","
                                + "\"apiKey\":{\"env\":\"KEY\"},\"contextTokens\":32768,\"maxOutputTokens\":2000,\"timeout\":\"90s\"},"
                                + "\"run\":{\"maxTurns\":3,\"maxCalls\":4,\"timeout\":\"1m\"}}")
                .config();

        assertThat(config.model())
                .isEqualTo(new ModelSettings(
                        ModelProvider.OPENAI,
                        "qwen3:8b",
                        URI.create("https://h:1/v1"),
                        new SecretRef.Env("KEY"),
                        new Bounds(32_768, 2_000, Duration.ofSeconds(90))));
        assertThat(config.run()).isEqualTo(new RunLimits(3, 4, Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @EnumSource(ModelProvider.class)
    void knowsWhereEachProviderIs(ModelProvider provider) {
        var model = accepted("{\"model\":{\"provider\":\"" + provider.name().toLowerCase(java.util.Locale.ROOT)
                        + "\",\"name\":\"m\"}}")
                .config()
                .model();

        assertThat(model).isEqualTo(new ModelSettings(provider, "m", provider.baseUrl(), null, Bounds.STANDARD));
        assertThat(provider.baseUrl()).hasScheme("https");
    }

    @Test
    void leavesHalfOfASmallContextToTheRequest() {
        assertThat(accepted(model("\"contextTokens\":2048")).config().agent().model())
                .extracting(ModelSettings::bounds)
                .isEqualTo(new Bounds(2_048, 1_024, Bounds.STANDARD_TIMEOUT));
    }

    @Test
    @Tag("CFG-3")
    void keepsBothWhenAVariableReplacesTheServers() {
        var config = ((ConfigResult.Accepted) Configs.parse(
                        "{\"model\":{\"provider\":\"openai\",\"name\":\"m\"},\"run\":{\"maxTurns\":2}}", "[]", "1000"))
                .config();

        assertThat(config.model()).isNotNull();
        assertThat(config.run().maxTurns()).isEqualTo(2);
    }

    @Test
    void reportsEveryMistakeAtOnceWithItsPlace() {
        var rejected = (ConfigResult.Rejected) Configs.parse(
                "{\"model\":{\"provider\":\"oenai\",\"nam\":\"x\",\"baseUrl\":\"h\",\"apiKey\":\"sk\",\"contextTokens\":1,"
                        + "\"maxOutputTokens\":-1,\"timeout\":\"1d\"},\"run\":{\"maxTurns\":1000}}");

        assertThat(rejected.problems())
                .extracting(ConfigProblem::pointer)
                .containsExactly(
                        "/model/provider",
                        "/model/nam",
                        "/model/baseUrl",
                        "/model/apiKey",
                        "/model/contextTokens",
                        "/model/maxOutputTokens",
                        "/model/timeout",
                        "/run/maxTurns");
    }

    @Test
    void saysWhichNumberLeavesNoRoom() {
        assertThat(problem(model("\"contextTokens\":2000,\"maxOutputTokens\":2000")))
                .satisfies(problem -> {
                    assertThat(problem.pointer()).isEqualTo("/model/maxOutputTokens");
                    assertThat(problem.message()).contains("2000 and leaves no room in model.contextTokens");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "../x?", "gpt\\n5", "é"})
    void refusesWhatIsNoName(String name) {
        assertThat(problem("{\"model\":{\"provider\":\"openai\",\"name\":\"" + name + "\"}}")
                        .pointer())
                .isEqualTo("/model/name");
    }

    @Test
    @Tag("SEC-5")
    void refusesAKeyThatIsWrittenDownAndDoesNotRepeatIt() {
        var problem = problem(model("\"apiKey\":{\"value\":\"a-literal-key\"}"));

        assertThat(problem.pointer()).isEqualTo("/model/apiKey");
        assertThat(problem.text()).contains("{\"env\": \"NAME\"}").doesNotContain("a-literal-key");
    }

    @ParameterizedTest
    @CsvSource({
        "http://models.example/v1, 1",
        "http://10.0.0.1, 1",
        "http://127.0.0.1.example, 1",
        "https://models.example/v1, 0",
        "http://localhost:8080, 0",
        "http://127.0.0.1:11434/v1, 0",
        "http://[::1]/, 0"
    })
    @Tag("SEC-5")
    void warnsWhenAKeyWouldGoOverTheNetworkInTheClear(String url, int warnings) {
        assertThat(accepted(model("\"baseUrl\":\"" + url + "\",\"apiKey\":{\"credential\":\"k\"}"))
                        .warnings())
                .hasSize(warnings)
                .allSatisfy(warning -> assertThat(warning.text()).contains("/model/baseUrl", "in the clear"));
        assertThat(accepted(model("\"baseUrl\":\"" + url + "\"")).warnings()).isEmpty();
    }

    @Test
    void standInTheReferenceAsTheyAre() throws Exception {
        assertThat(Files.readString(Path.of("src/docs/configuration.md")))
                .contains(
                        "| `run.maxTurns` | 16 | 128 |",
                        "| `run.maxCalls` | 32 | 512 |",
                        "| `run.timeout` | `10m` | `1h` |")
                .contains("128,000 by default, 1,024 to 10,000,000", "4,096 by default", "at most 1,000,000");
        assertThat(List.of(RunLimits.MOST_TURNS, RunLimits.MOST_CALLS, Bounds.MOST_CONTEXT, Bounds.MOST_OUTPUT))
                .containsExactly(128, 512, 10_000_000, 1_000_000);
    }

    private static String model(String members) {
        return "{\"model\":{\"provider\":\"openai\",\"name\":\"m\"," + members + "}}";
    }

    private static ConfigResult.Accepted accepted(String text) {
        return (ConfigResult.Accepted) Configs.parse(text);
    }

    private static ConfigProblem problem(String text) {
        var problems = ((ConfigResult.Rejected) Configs.parse(text)).problems();
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }
}
