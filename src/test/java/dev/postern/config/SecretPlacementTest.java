package dev.postern.config;

import static dev.postern.config.Configs.TOKEN;
import static dev.postern.config.Configs.acceptedWithWarnings;
import static dev.postern.config.Configs.problem;
import static dev.postern.config.Configs.server;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SRV-5")
class SecretPlacementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"command\":\"mcp-files\"|\"command\":\"SECRET\"|/mcpServers/0/command",
                "\"args\":[]|\"args\":[\"-t\",\"--key=SECRET\"]|/mcpServers/0/args/1",
                "\"args\":[]|\"args\":[],\"cwd\":\"/SECRET\"|/mcpServers/0/cwd",
                "\"args\":[]|\"args\":[],\"environment\":{\"A\":{\"value\":\"SECRET\"}}|/mcpServers/0/environment/A/value",
            })
    void warnsOfASecretInPlainSight(String from, String to, String pointer) {
        var warnings = acceptedWithWarnings(server("").replace(from, to.replace("SECRET", TOKEN)))
                .warnings();

        assertThat(warnings).singleElement().satisfies(warning -> {
            assertThat(warning.pointer()).isEqualTo(pointer);
            assertThat(warning.message()).contains("(GitHub token)");
            assertThat(warning.next()).contains("postern credential set files").contains("{\"credential\": \"files\"}");
            assertThat(warning.text()).doesNotContain(TOKEN);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"url\":\"https://h/?k=SECRET\"", "\"url\":\"https://h/\",\"oauth\":{\"a\":[\"SECRET\"]}"})
    void warnsOfASecretInATransport(String members) {
        var warnings = acceptedWithWarnings("{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[],"
                        + "\"transport\":{\"type\":\"http\"," + members.replace("SECRET", TOKEN) + "}}]}")
                .warnings();

        assertThat(warnings)
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.text()).contains("\"headers\"").doesNotContain(TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"env\":\"SECRET\"}", "{\"credential\":\"SECRET\"}"})
    void refusesASecretInPlaceOfTheNameOfOne(String reference) {
        var problem = problem(server("\"environment\":{\"A\":" + reference.replace("SECRET", TOKEN) + "}"));

        assertThat(problem.message()).contains("looks like a secret itself (GitHub token)");
        assertThat(problem.text()).doesNotContain(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"approval\":\"SECRET\"",
                "\"scheduledTools\":[\"SECRET\"]",
                "\"SECRET\":1",
                "\"timeouts\":{\"call\":\"SECRET\"}",
                "\"environment\":{\"SECRET-\":{\"value\":\"\"}}"
            })
    void withholdsASecretWhereverItStands(String member) {
        assertThat(problem(server(member.replace("SECRET", TOKEN))).text()).doesNotContain(TOKEN);
    }

    @Test
    void keepsTheListOfWarningsShort() {
        String args = ("\"" + TOKEN + "\",").repeat(500);
        var warnings = acceptedWithWarnings(server("").replace("\"args\":[]", "\"args\":[" + args + "\"\"]"))
                .warnings();

        assertThat(warnings).hasSize(100);
    }
}
