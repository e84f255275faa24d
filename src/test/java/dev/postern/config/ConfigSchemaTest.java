package dev.postern.config;

import static dev.postern.config.Configs.entry;
import static dev.postern.config.Configs.server;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postern.base.Durations;
import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("CFG-7")
class ConfigSchemaTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(ConfigSchema.text());

    @ParameterizedTest
    @MethodSource("validFiles")
    void acceptsWhatTheParserAccepts(String file) throws JsonProcessingException {
        assertThat(Configs.parse(file)).isInstanceOf(ConfigResult.Accepted.class);
        assertThat(SCHEMA.validate(MAPPER.readTree(file))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("invalidFiles")
    void refusesWhatTheParserRefuses(String file) throws JsonProcessingException {
        assertThat(Configs.parse(file)).isInstanceOf(ConfigResult.Rejected.class);
        assertThat(SCHEMA.validate(MAPPER.readTree(file))).isNotEmpty();
    }

    /// What no schema can say, as its description tells.
    @ParameterizedTest
    @MethodSource("filesOnlyTheParserRefuses")
    void leavesToTheParserWhatNoSchemaCanSay(String file) throws JsonProcessingException {
        assertThat(Configs.parse(file)).isInstanceOf(ConfigResult.Rejected.class);
        assertThat(SCHEMA.validate(MAPPER.readTree(file))).isEmpty();
    }

    static Stream<String> validFiles() {
        return Stream.of(
                "{}",
                "{\"$schema\":\"x\"}",
                "{\"mcpServers\":[]}",
                "{\"limits\":{},\"timeouts\":{}}",
                "{\"storage\":{}}",
                "{\"storage\":{\"days\":1,\"bytes\":1048576}}",
                "{\"storage\":{\"days\":3650,\"bytes\":1099511627776}}",
                "{\"model\":{\"provider\":\"openai\",\"name\":\"gpt-5-mini\",\"apiKey\":{\"env\":\"OPENAI_API_KEY\"}}}",
                "{\"model\":{\"provider\":\"gemini\",\"name\":\"a/b:c\",\"baseUrl\":\"HTTP://[::1]:80/v1/\"}}",
                "{\"model\":{\"provider\":\"anthropic\",\"name\":\"x\",\"apiKey\":{\"credential\":\"a\"},"
                        + "\"contextTokens\":1024,\"maxOutputTokens\":1023,\"timeout\":\"30m\"}}",
                "{\"run\":{}}",
                "{\"run\":{\"maxTurns\":128,\"maxCalls\":512,\"timeout\":\"1h\"}}",
                "{\"limits\":{\"servers\":64,\"frameBytes\":16777216,\"pages\":1}}",
                "{\"timeouts\":{\"startup\":\"500ms\",\"request\":\"8s\",\"call\":\"2m\",\"close\":\"30s\"}}",
                "{\"timeouts\":{\"call\":\"1h\"}}",
                server(""),
                server("\"scheduledTools\":[]"),
                server("\"scheduledTools\":[\"read\"],\"approval\":\"auto\",\"parallel\":true,\"protocol\":\"modern\""),
                server("\"cwd\":\"x y\",\"environment\":{}"),
                server(
                        "\"environment\":{\"_A9\":{\"env\":\"_\"},\"B\":{\"credential\":\"a-9\"},\"C\":{\"value\":\"\"}}"),
                server("\"limits\":{\"resultBytes\":1},\"timeouts\":{\"call\":\"1ms\"}"),
                "{\"mcpServers\":[" + entry("a", "") + "," + entry("b", "") + "]}",
                remote("\"url\":\"https://example.com\""),
                remote("\"url\":\"HTTP://[::1]:80/a?b=c\",\"headers\":{},\"oauth\":{\"any\":1}"),
                remote("\"url\":\"http://h/\",\"headers\":{\"X-Y\":{\"value\":\"z\"}}"));
    }

    static Stream<String> invalidFiles() {
        var files = new ArrayList<>(List.of(
                "[]",
                "null",
                "{\"x\":1}",
                "{\"$schema\":1}",
                "{\"mcpServers\":{}}",
                "{\"mcpServers\":[[]]}",
                "{\"model\":{}}",
                "{\"model\":{\"provider\":\"openai\"}}",
                "{\"model\":{\"provider\":\"ollama\",\"name\":\"x\"}}",
                model("\"name\":\"a b\""),
                model("\"name\":\"x\",\"key\":\"k\""),
                model("\"name\":\"x\",\"apiKey\":\"k\""),
                model("\"name\":\"x\",\"apiKey\":{\"value\":\"k\"}"),
                model("\"name\":\"x\",\"baseUrl\":\"ftp://h\""),
                model("\"name\":\"x\",\"baseUrl\":\"https://u@h\""),
                model("\"name\":\"x\",\"baseUrl\":\"https://h/?key=k\""),
                model("\"name\":\"x\",\"contextTokens\":1023"),
                model("\"name\":\"x\",\"contextTokens\":10000001"),
                model("\"name\":\"x\",\"maxOutputTokens\":0"),
                model("\"name\":\"x\",\"timeout\":120"),
                "{\"run\":1}",
                "{\"run\":{\"maxTurns\":129}}",
                "{\"run\":{\"maxCalls\":513}}",
                "{\"run\":{\"turns\":1}}",
                "{\"sandbox\":{}}",
                "{\"storage\":90}",
                "{\"storage\":{\"x\":1}}",
                "{\"storage\":{\"days\":0}}",
                "{\"storage\":{\"days\":3651}}",
                "{\"storage\":{\"days\":\"90d\"}}",
                "{\"storage\":{\"bytes\":1048575}}",
                "{\"storage\":{\"bytes\":1099511627777}}",
                "{\"limits\":[]}",
                "{\"limits\":{\"x\":1}}",
                "{\"limits\":{\"pages\":0}}",
                "{\"limits\":{\"pages\":1.5}}",
                "{\"limits\":{\"pages\":\"1\"}}",
                "{\"limits\":{\"pages\":1e400}}",
                "{\"timeouts\":{\"x\":\"1s\"}}",
                "{\"timeouts\":{\"call\":10}}",
                "{\"timeouts\":{\"call\":\"10\"}}",
                "{\"timeouts\":{\"call\":\"0s\"}}",
                "{\"timeouts\":{\"call\":\"00h\"}}",
                "{\"timeouts\":{\"call\":\"1234567890ms\"}}",
                "{\"mcpServers\":[{}]}",
                "{\"mcpServers\":[" + entry("A", "") + "]}",
                "{\"mcpServers\":[" + entry("builtin", "") + "]}",
                server("\"allow\":[]"),
                server("\"limits\":{\"servers\":1}"),
                server("\"approval\":\"Ask\""),
                server("\"protocol\":\"2025-11-25\""),
                server("\"parallel\":0"),
                server("\"cwd\":\"\""),
                server("\"cwd\":\" \""),
                server("\"cwd\":null"),
                server("\"scheduledTools\":\"read\""),
                server("\"scheduledTools\":[\"read\",\"read\"]"),
                server("\"environment\":{\"A-B\":{\"value\":\"\"}}"),
                server("\"environment\":{\"A\":\"b\"}"),
                server("\"environment\":{\"A\":{}}"),
                server("\"environment\":{\"A\":{\"env\":\"B\",\"value\":\"c\"}}"),
                server("\"environment\":{\"A\":{\"env\":\"9\"}}"),
                server("\"environment\":{\"A\":{\"credential\":\"G\"}}"),
                server("\"environment\":{\"A\":{\"value\":\"\\u0000\"}}"),
                server("\"transport\":{\"type\":\"http\",\"url\":\"https://h\"}"),
                server("").replace("\"args\":[],", ""),
                server("").replace("\"args\":[]", "\"args\":[1]"),
                server("").replace("\"args\":[]", "\"args\":[\"\\u0000\"]"),
                server("").replace("mcp-files", ""),
                server("").replace("\"command\":\"mcp-files\",", ""),
                server("").replace("\"enabled\":true,", ""),
                server("").replace("\"read\"", "\"\""),
                remote("\"url\":\"ftp://h\""),
                remote("\"url\":\"https://u@h\""),
                remote("\"url\":\"https:///x\""),
                remote("\"url\":\"https://h/#f\""),
                remote("\"url\":\"https://h\",\"x\":1"),
                remote("\"url\":\"https://h\",\"oauth\":[]"),
                remote("\"url\":\"https://h\",\"headers\":{\"a b\":{\"value\":\"\"}}"),
                remote("\"url\":\"https://h\"").replace("http\"", "stdio\""),
                remote("\"url\":\"https://h\"").replace("\"tools\":[]", "\"tools\":[],\"args\":[]")));
        for (var limit : Limit.values()) {
            files.add("{\"limits\":{\"" + limit.shortName() + "\":" + (limit.ceiling() + 1L) + "}}");
        }
        return files.stream();
    }

    static Stream<String> filesOnlyTheParserRefuses() {
        return Stream.of(
                "{\"limits\":{},\"limits\":{}}",
                "{\"timeouts\":{\"call\":\"2h\"}}",
                "{\"limits\":{\"pages\":1.0}}",
                "{\"run\":{\"timeout\":\"61m\"}}",
                model("\"name\":\"x\",\"timeout\":\"31m\""),
                model("\"name\":\"x\",\"contextTokens\":2000,\"maxOutputTokens\":2000"),
                server("\"scheduledTools\":[\"write\"]"),
                "{\"mcpServers\":[" + entry("a", "") + "," + entry("a", "") + "]}",
                "{\"limits\":{\"servers\":1},\"mcpServers\":[" + entry("a", "") + "," + entry("b", "") + "]}");
    }

    private static String model(String members) {
        return "{\"model\":{\"provider\":\"openai\"," + members + "}}";
    }

    private static String remote(String members) {
        return "{\"mcpServers\":[{\"id\":\"r\",\"enabled\":true,\"tools\":[],\"transport\":{\"type\":\"http\","
                + members + "}}]}";
    }

    @Test
    @Tag("LIM-1")
    void saysTheDefaultAndCeilingOfEveryLimit() throws JsonProcessingException {
        var schema = MAPPER.readTree(ConfigSchema.text());
        var global = schema.at("/properties/limits/properties");
        var server = schema.at("/$defs/server/properties/limits/properties");

        assertThat(global.size()).isEqualTo(Limit.values().length);
        assertThat(server.size()).isEqualTo(Limit.values().length - 1);
        for (var limit : Limit.values()) {
            String reference = global.at("/" + limit.shortName() + "/$ref").textValue();
            assertThat(reference).isEqualTo("#/$defs/limit-" + limit.shortName());
            var definition = schema.at("/$defs/limit-" + limit.shortName());
            assertThat(definition.get("default").intValue()).isEqualTo(limit.standard());
            assertThat(definition.get("minimum").intValue()).isEqualTo(1);
            assertThat(definition.get("maximum").intValue()).isEqualTo(limit.ceiling());
            assertThat(definition.get("description").textValue())
                    .endsWith("Default " + limit.standard() + ", at most " + limit.ceiling() + ".");
        }
    }

    @Test
    @Tag("LIM-1")
    void saysTheDefaultAndCeilingOfEveryTimeout() throws JsonProcessingException {
        var timeouts = MAPPER.readTree(ConfigSchema.text()).at("/$defs/timeouts/properties");

        assertThat(timeouts.size()).isEqualTo(Timeout.values().length);
        for (var timeout : Timeout.values()) {
            var definition = timeouts.get(timeout.shortName());
            assertThat(definition.get("default").textValue()).isEqualTo(Durations.text(timeout.standard()));
            assertThat(definition.get("description").textValue())
                    .endsWith("Default " + Durations.text(timeout.standard()) + ", at most "
                            + Durations.text(timeout.ceiling()) + ".");
        }
    }

    @Test
    void describesEveryKey() throws JsonProcessingException {
        var schema = MAPPER.readTree(ConfigSchema.text());
        for (var place : List.of(
                "",
                "/$defs/server",
                "/$defs/transport",
                "/$defs/reference",
                "/$defs/timeouts",
                "/properties/model",
                "/properties/run")) {
            for (var property : schema.at(place + "/properties").properties()) {
                assertThat(described(schema, property.getValue()))
                        .as(property.getKey())
                        .isTrue();
            }
        }
    }

    private static boolean described(JsonNode schema, JsonNode definition) {
        return definition.has("description")
                || (definition.has("$ref")
                        && schema.at(definition.get("$ref").textValue().substring(1))
                                .has("description"));
    }
}
