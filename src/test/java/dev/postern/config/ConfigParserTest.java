package dev.postern.config;

import static dev.postern.config.Configs.accepted;
import static dev.postern.config.Configs.parse;
import static dev.postern.config.Configs.problem;
import static dev.postern.config.Configs.problems;
import static dev.postern.config.Configs.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CFG-1")
class ConfigParserTest {
    @Test
    void findsTenMistakesInOneRunEachWithItsPlace() {
        var result = parse("""
                {
                  // everything that can go wrong
                  "mcpServer": [],
                  "limits": { "frameBytes": 99999999 },
                  "timeouts": { "call": "soon" },
                  "mcpServers": [
                    { "id": "Files", "enabled": true, "command": "mcp-files", "args": "-v",
                      "tools": ["read"], "scheduledTools": ["read", "write"] },
                    { "id": "builtin", "command": "x", "args": [],
                      "tools": [], "allow": ["*"],
                      "environment": { "TOKEN": "abc" } }
                  ]
                }
                """);

        assertThat(problems(result))
                .extracting(ConfigProblem::line, ConfigProblem::column, ConfigProblem::pointer)
                .containsExactly(
                        tuple(3, 3, "/mcpServer"),
                        tuple(4, 29, "/limits/frameBytes"),
                        tuple(5, 25, "/timeouts/call"),
                        tuple(7, 13, "/mcpServers/0/id"),
                        tuple(7, 71, "/mcpServers/0/args"),
                        tuple(8, 53, "/mcpServers/0/scheduledTools/1"),
                        tuple(9, 5, "/mcpServers/1"),
                        tuple(9, 13, "/mcpServers/1/id"),
                        tuple(10, 20, "/mcpServers/1/allow"),
                        tuple(11, 33, "/mcpServers/1/environment/TOKEN"));
    }

    @Test
    void namesTheFileThePlaceWhatWasSeenAndWhatWasExpected() {
        assertThat(problem(server("\"parallel\":3")).text())
                .isEqualTo(
                        "config.json:1:112: /mcpServers/0/parallel: \"parallel\" is a number; expected true or false");
    }

    @Test
    void takesAMissingFileForAnEmptyConfiguration() {
        assertThat(Configs.accepted(parse(null, null, null)).config()).isEqualTo(Config.EMPTY);
        assertThat(Config.EMPTY.servers()).isEmpty();
    }

    @Test
    void acceptsCommentsAndAByteOrderMark() {
        var config = accepted("\uFEFF// first\n{ /* one */ \"mcpServers\" /**/ : [ // two\n ] }\r\n// last");

        assertThat(config.servers()).isEmpty();
    }

    @Test
    @Tag("CFG-7")
    void acceptsTheKeyThatLeadsAnEditorToTheSchema() {
        assertThat(accepted("{\"$schema\":\"./postern-config.schema.json\"}")).isEqualTo(Config.EMPTY);
    }

    @Test
    void reportsARepeatedKeyAtItsSecondPlace() {
        var problem = problem("{\"limits\":{},\n \"timeouts\":{}, \"limits\":{}}");

        assertThat(problem)
                .extracting(ConfigProblem::line, ConfigProblem::column, ConfigProblem::pointer)
                .containsExactly(2, 17, "/limits");
        assertThat(problem.message()).contains("repeated");
    }

    @ParameterizedTest
    @CsvSource({
        "mcpServer, mcpServers",
        "mcp_servers, mcpServers",
        "MCPSERVERS, mcpServers",
        "servers, mcpServers",
        "timeout, timeouts",
        "limit, limits",
        "schema, $schema"
    })
    void namesTheNearestKnownKey(String typed, String meant) {
        assertThat(problem("{\"" + typed + "\":[]}").message()).contains("the nearest known one is \"" + meant + "\"");
    }

    @ParameterizedTest
    @CsvSource({
        "env, environment",
        "tool, tools",
        "scheduled_tools, scheduledTools",
        "enable, enabled",
        "arg, args",
        "url, transport",
        "name, id"
    })
    void namesTheNearestKnownKeyOfAnEntry(String typed, String meant) {
        assertThat(problem(server("\"" + typed + "\":1")).message())
                .contains("the nearest known one is \"" + meant + "\"");
    }

    @Test
    void takesAMisspeltRequiredKeyForOneMistake() {
        assertThat(problems(
                        "{\"mcpServers\":[{\"Id\":\"a\",\"enable\":true,\"comand\":\"x\",\"arg\":[],\"tool\":[]}]}"))
                .hasSize(5)
                .allSatisfy(problem -> assertThat(problem.message()).contains("nearest"));
    }

    @Test
    void listsTheKnownKeysWhereNoneIsNear() {
        assertThat(problem("{\"zzzzz\":1}").message()).doesNotContain("nearest");
        assertThat(problem("{\"zzzzz\":1}").expected())
                .isEqualTo("one of $schema, mcpServers, model, run, worker, storage, limits, timeouts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks", "api", "browser", "channels", "sandbox"})
    @Tag("CFG-2")
    void refusesKeysOfLaterVersionsWithoutLookingInside(String key) {
        assertThat(problem("{\"" + key + "\":{\"what\":[ever]".replace("ever", "1") + "}}")
                        .message())
                .contains("\"" + key + "\" is not supported yet");
    }

    @Test
    @Tag("WRK-2")
    void theWorkerTakesNoCallsUnlessToldTo() {
        assertThat(accepted("{}").directCalls()).isFalse();
        assertThat(accepted("{\"worker\":{}}").directCalls()).isFalse();
        assertThat(accepted("{\"worker\":{\"directCalls\":true}}").directCalls())
                .isTrue();
        assertThat(problem("{\"worker\":{\"directCall\":true}}").message()).contains("\"directCalls\"");
        assertThat(problem("{\"worker\":{\"directCalls\":1}}").expected()).isEqualTo("true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"text\"", "3", "null", "true"})
    void refusesADocumentThatIsNoObject(String file) {
        var problem = problem(file);

        assertThat(problem.pointer()).isEmpty();
        assertThat(problem.expected()).startsWith("an object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"mcpServers\":null}", "{\"limits\":null}", "{\"timeouts\":null}", "{\"$schema\":null}"})
    void takesNullForAWrongTypeAndNotForAbsence(String file) {
        assertThat(problem(file).message()).endsWith("is null");
    }

    @Test
    void tellsThoseWhoWriteServersAsAnObjectThatTheyAreAnArray() {
        var problem = problem("{\"mcpServers\":{\"files\":{\"command\":\"x\"}}}");

        assertThat(problem.message()).endsWith("is an object");
        assertThat(problem.expected()).contains("an array").contains("\"id\"");
    }

    @Test
    void stopsAtBytesThatAreNotUtf8AndSaysWhere() {
        byte[] bytes = "{\n\"limits\": \"é?\"}".getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 3] = (byte) 0xFF;
        var result = ConfigParser.parse(ConfigText.ofUtf8("config.json", Configs.DATA, bytes), null, null);

        assertThat(problems(result))
                .singleElement()
                .extracting(ConfigProblem::line, ConfigProblem::column)
                .containsExactly(2, 13);
    }

    @Test
    void stopsAtACharacterThatIsCutOffAtTheEnd() {
        byte[] bytes = {'{', '}', (byte) 0xC3};
        var result = ConfigParser.parse(ConfigText.ofUtf8("config.json", Configs.DATA, bytes), null, null);

        assertThat(problems(result))
                .singleElement()
                .extracting(ConfigProblem::column)
                .isEqualTo(3);
    }

    @Test
    void countsColumnsInCodePoints() {
        assertThat(problem("{\"$schema\":\"😀é\",\"x\":1}").column()).isEqualTo(17);
    }

    @Test
    void countsEveryKindOfLineEnd() {
        assertThat(problem("{\n\r\n\r\"x\":1}").line()).isEqualTo(4);
    }

    @Test
    void escapesPointersAsTheStandardSays() {
        assertThat(problem("{\"a/b~c\":1}").pointer()).isEqualTo("/a~1b~0c");
    }

    @Test
    void keepsTheListOfProblemsShortAndCountsTheRest() {
        var text = new StringBuilder("{");
        for (int i = 0; i < 250; i++) {
            text.append("\"zz").append(i).append("\":1,");
        }
        var result = (ConfigResult.Rejected) parse(text.append("\"limits\":{}}").toString());

        assertThat(result.problems()).hasSize(100);
        assertThat(result.omitted()).isEqualTo(150);
        assertThat(result.problem().code()).isEqualTo(ErrorCode.CONFIG_INVALID);
        assertThat(result.problem().message()).contains("250 problems").contains("config.json:1:2");
    }

    @Test
    void cutsLongKeysAndShowsNothingInvisible() {
        String key = "k".repeat(10_000);
        var problem = problem("{\"" + key + "\":1, \"limits\":{}}");
        assertThat(problem.text().length()).isLessThan(400);

        assertThat(problem("{\"a\\u001b[31m\\u202eb\":1}").text()).contains("a\\u{1B}[31m\\u{202E}b");
    }

    @Test
    void neverShowsAKeyThatLooksLikeASecret() {
        var problem = problem("{\"" + Configs.TOKEN + "\":1}");

        assertThat(problem.text()).doesNotContain(Configs.TOKEN);
    }

    @Test
    @Tag("LIM-2")
    void readsEveryLimitAndTimeout() {
        var text = new StringBuilder("{\"limits\":{");
        for (var limit : Limit.values()) {
            text.append('"')
                    .append(limit.shortName())
                    .append("\":")
                    .append(limit.ceiling())
                    .append(',');
        }
        text.setLength(text.length() - 1);
        text.append("},\"timeouts\":{\"startup\":\"5m\",\"request\":\"2m\",\"call\":\"1h\",\"close\":\"30000ms\"}}");
        var config = accepted(text.toString());

        for (var limit : Limit.values()) {
            assertThat(config.limits().get(limit)).isEqualTo(limit.ceiling());
        }
        for (var timeout : Timeout.values()) {
            assertThat(config.timeouts().get(timeout)).isEqualTo(timeout.ceiling());
        }
    }

    @Test
    @Tag("LIM-1")
    void namesTheCeilingThatALimitIsOver() {
        for (var limit : Limit.values()) {
            long over = limit.ceiling() + 1L;
            var problem = problem("{\"limits\":{\"" + limit.shortName() + "\":" + over + "}}");

            assertThat(problem.message())
                    .isEqualTo(limit.key() + " is " + over + ", over its ceiling of " + limit.ceiling());
        }
    }

    @Test
    @Tag("LIM-1")
    void namesTheCeilingThatATimeoutIsOver() {
        assertThat(problem("{\"timeouts\":{\"call\":\"61m\"}}").message())
                .isEqualTo("timeouts.call is 61m, over its ceiling of 1h");
        assertThat(problem("{\"timeouts\":{\"close\":\"999999999h\"}}").message())
                .contains("over its ceiling of 30s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "1e400",
                "1e3",
                "8.0",
                "99999999999999999999999999",
                "-99999999999999999999999999",
                "\"8\"",
                "true",
                "null",
                "[]"
            })
    @Tag("LIM-2")
    void refusesWhatIsNoWholeNumberInReach(String number) {
        var problem = problem("{\"limits\":{\"pages\":" + number + "}}");

        assertThat(problem.pointer()).isEqualTo("/limits/pages");
        assertThat(problem.expected()).isEqualTo("a whole number from 1 to 64");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"8\"",
                "\"8 s\"",
                "\"8S\"",
                "\"-8s\"",
                "\"1.5s\"",
                "\"1h30m\"",
                "\"0s\"",
                "\"00ms\"",
                "\"s\"",
                "\"1234567890ms\"",
                "\"٣s\"",
                "8",
                "null"
            })
    @Tag("CFG-6")
    void refusesWhatIsNoDuration(String duration) {
        var problem = problem("{\"timeouts\":{\"call\":" + duration + "}}");

        assertThat(problem.pointer()).isEqualTo("/timeouts/call");
        assertThat(problem.expected()).contains("\"500ms\", \"8s\", \"2m\" or \"1h\"");
    }

    @Test
    @Tag("LIM-2")
    void letsAnEntryOverrideGlobalLimitsKeyByKey() {
        var config = accepted("{\"limits\":{\"pages\":3,\"tools\":7},\"timeouts\":{\"call\":\"3s\",\"close\":\"2s\"},"
                + "\"mcpServers\":[" + Configs.entry("a", "\"limits\":{\"tools\":9},\"timeouts\":{\"call\":\"4s\"}")
                + "," + Configs.entry("b", "") + "]}");
        var own = config.servers().get(0);
        var global = config.servers().get(1);

        assertThat(own.limits().get(Limit.PAGES)).isEqualTo(3);
        assertThat(own.limits().get(Limit.TOOLS)).isEqualTo(9);
        assertThat(own.limits().get(Limit.FRAME_BYTES)).isEqualTo(Limit.FRAME_BYTES.standard());
        assertThat(own.timeouts().get(Timeout.CALL)).isEqualTo(Duration.ofSeconds(4));
        assertThat(own.timeouts().get(Timeout.CLOSE)).isEqualTo(Duration.ofSeconds(2));
        assertThat(global.limits()).isEqualTo(config.limits());
        assertThat(global.timeouts()).isEqualTo(config.timeouts());
    }

    @Test
    @Tag("LIM-2")
    void refusesTheNumberOfServersAsALimitOfOneServer() {
        assertThat(problem(server("\"limits\":{\"servers\":3}")).message()).contains("\"servers\" is unknown");
    }
}
