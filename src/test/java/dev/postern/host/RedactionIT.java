package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.secret.SecretRef;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A secret given to a server does not come back, whichever way the server takes (SEC-5).
@ExtendWith(LeavesNothingBehind.class)
@Tag("SEC-5")
@Tag("K32")
class RedactionIT {
    private static final String SECRET = "s3cr3t/\"Quoted\"+value=42";

    @TempDir
    private Path dir;

    private static Server server(Script script) {
        return Server.of("s", script).variable("TOKEN", new SecretRef.Env("TEST_TOKEN"));
    }

    private HostKit kit(Server... servers) {
        return HostKit.of(dir, Map.of("TEST_TOKEN", SECRET), servers);
    }

    @Test
    void replacesItInTextAndCountsIt() {
        try (var kit = kit(server(Script.behaving().tool("getenv")).tools("getenv"))) {
            var outcome = (Outcome.Succeeded)
                    kit.call("s", "getenv", "{\"name\":\"TOKEN\"}").outcome();

            assertThat(outcome.result().content().path(0).path("text").asText()).isEqualTo("[redacted:TEST_TOKEN]");
            assertThat(outcome.result().redacted()).isEqualTo(1);
        }
    }

    @Test
    void replacesItInStructuredValuesAndKeys() {
        var json = Json.parse("{}");
        ((ObjectNode) json).put(SECRET, "x").put("a", "b " + SECRET);
        var script = Script.behaving().on("call:echo", "result {\"content\":[],\"structuredContent\":" + json + "}");
        try (var kit = kit(server(script))) {
            var outcome = (Outcome.Succeeded)
                    kit.call("s", "echo", "{\"text\":\"x\"}").outcome();

            assertThat(Json.present(outcome.result().structuredContent()).toString())
                    .doesNotContain("s3cr3t")
                    .contains("\"[redacted:TEST_TOKEN]\":\"x\"", "\"b [redacted:TEST_TOKEN]\"");
            assertThat(outcome.result().redacted()).isEqualTo(2);
        }
    }

    @Test
    void replacesItsEncodings() {
        var bytes = SECRET.getBytes(StandardCharsets.UTF_8);
        for (var encoded : List.of(
                Base64.getEncoder().encodeToString(("ab" + SECRET + "cd").getBytes(StandardCharsets.UTF_8)),
                HexFormat.of().formatHex(bytes),
                URLEncoder.encode(SECRET, StandardCharsets.UTF_8))) {
            var script = Script.behaving()
                    .on("call:echo", "result {\"content\":[{\"type\":\"text\",\"text\":\"<" + encoded + ">\"}]}");
            try (var kit = kit(server(script))) {
                var outcome = (Outcome.Succeeded)
                        kit.call("s", "echo", "{\"text\":\"x\"}").outcome();

                assertThat(outcome.result().redacted()).as(encoded).isPositive();
                assertThat(outcome.result().content().toString()).contains("[redacted:TEST_TOKEN]");
            }
        }
    }

    @Test
    void replacesItInErrorMessagesOfCallsAndOfDiscovery() {
        var json = Json.object("{}").put("m", SECRET).toString();
        var quoted = json.substring(5, json.length() - 1);
        var calling = Script.behaving()
                .on(
                        "call:echo",
                        "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":" + quoted + "}}");
        var listing = Script.behaving()
                .on(
                        "tools/list",
                        "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":" + quoted + "}}");
        try (var kit =
                kit(server(calling), Server.of("other", listing).variable("T", new SecretRef.Env("TEST_TOKEN")))) {
            var failed =
                    (Outcome.Failed) kit.call("s", "echo", "{\"text\":\"x\"}").outcome();
            assertThat(failed.problem().message())
                    .contains("[redacted:TEST_TOKEN]")
                    .doesNotContain("s3cr3t");
            assertThat(failed.result().redacted()).isEqualTo(1);

            var not = (Answer.Not<Host.ServerTools>) kit.host.tools("other", new Cancellation());
            assertThat(not.problem().message())
                    .contains("[redacted:TEST_TOKEN]")
                    .doesNotContain("s3cr3t");
        }
    }

    @Test
    @Tag("PRC-6")
    void replacesItInStandardError() {
        var script = Script.behaving().atStart("say token is " + SECRET);
        try (var kit = kit(server(script))) {
            kit.host.tools("s", new Cancellation());

            await().untilAsserted(
                            () -> assertThat(kit.host.stderrTail("s")).contains("token is [redacted:TEST_TOKEN]"));
        }
    }

    @Test
    void replacesItBeforeShortening() {
        var text = "x".repeat(1_500) + SECRET.repeat(200);
        var script = Script.behaving()
                .on(
                        "call:echo",
                        "result {\"content\":["
                                + Json.object("{\"type\":\"text\"}").put("text", text) + "]}");
        for (int limit = 1_600; limit < 1_640; limit += 3) {
            try (var kit = kit(server(script).limit(Limit.RESULT_BYTES, limit))) {
                var outcome = (Outcome.Succeeded)
                        kit.call("s", "echo", "{\"text\":\"x\"}").outcome();

                assertThat(outcome.result().content().toString()).doesNotContain("s3cr");
            }
        }
    }

    @Test
    void replacesOneServersSecretInAnothersAnswer() {
        var holder = server(Script.behaving());
        var reader = Server.of("other", Script.behaving());
        try (var kit = kit(holder, reader)) {
            kit.call("s", "echo", "{\"text\":\"x\"}");

            var outcome = (Outcome.Succeeded) kit.call(
                            "other",
                            "echo",
                            Json.object("{}").put("text", SECRET).toString())
                    .outcome();

            assertThat(outcome.result().content().toString()).doesNotContain("s3cr3t");
        }
    }

    /// Both run at once; the other one knows its own secret, so what is looked at is really its environment.
    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag("SEC-4")
    void standsInNoCommandLineAndInNoEnvironmentButItsOwn() throws Exception {
        var other = Server.of("other", Script.behaving()).variable("MINE", new SecretRef.Env("OTHER_TOKEN"));
        var ours = Map.of("TEST_TOKEN", SECRET, "OTHER_TOKEN", "0ther-t0ken-value");
        try (var kit = HostKit.of(dir, ours, server(Script.behaving()), other)) {
            kit.call("s", "echo", "{\"text\":\"x\"}");
            kit.call("other", "echo", "{\"text\":\"x\"}");
            var holders = new TreeMap<String, Integer>();

            for (var process : LeavesNothingBehind.instances("")) {
                var pid = process.split(" ", 2)[0];
                var environment =
                        new String(Files.readAllBytes(Path.of("/proc", pid, "environ")), StandardCharsets.ISO_8859_1);
                assertThat(process).doesNotContain(SECRET, "0ther-t0ken-value");
                boolean first = environment.contains(SECRET);
                boolean second = environment.contains("0ther-t0ken-value");
                assertThat(first && second).as(process).isFalse();
                holders.merge(first ? "s" : second ? "other" : "neither", 1, Integer::sum);
            }

            assertThat(holders).containsKeys("s", "other");
        }
    }

    @Test
    void replacesItInDescriptionsAndSchemas() {
        var definition = Json.object("{\"name\":\"leaky\",\"inputSchema\":{\"type\":\"object\"}}")
                .put("description", "uses " + SECRET);
        ((ObjectNode) definition.get("inputSchema")).put("title", SECRET);
        try (var kit =
                kit(server(Script.behaving().definition(definition.toString())).tools("leaky"))) {
            var here = (Answer.Here<Host.ServerTools>) kit.host.tools("s", new Cancellation());
            assertThat(here.value().tools().toString()).doesNotContain("s3cr3t").contains("[redacted:TEST_TOKEN]");

            var listed = (Answer.Here<List<Host.ListedTool>>) kit.host.discover("s", new Cancellation());
            assertThat(listed.value().toString()).doesNotContain("s3cr3t");
        }
    }

    /// Longer than any text of a server is shown, and without two equal parts.
    private static final String LONG =
            IntStream.range(1_000, 1_600).mapToObj(Integer::toString).collect(Collectors.joining("z", "/~", "\"~1"));

    private static Stream<String> secrets() {
        return Stream.of(SECRET, LONG);
    }

    private HostKit kit(String secret, Server... servers) {
        return HostKit.of(dir, Map.of("TEST_TOKEN", secret), servers);
    }

    private static void holdsNothingOf(String secret, Object shown) {
        var text = shown.toString();
        for (int i = 0; i + 8 <= secret.length(); i++) {
            assertThat(text).doesNotContain(secret.substring(i, i + 8));
        }
        assertThat(text).contains("[redacted:TEST_TOKEN]");
    }

    private static List<Definition> unfit(String secret) {
        return List.of(
                new Definition("keyword", Json.object("{\"type\":\"object\"}").put(secret, 1)),
                new Definition(
                        "place",
                        Json.object("{\"type\":\"object\"}")
                                .set("properties", Json.object("{}").set(secret, Json.object("{\"type\":7}")))),
                new Definition("root", Json.object("{}").put("type", secret)),
                new Definition("dialect", Json.object("{\"type\":\"object\"}").put("$schema", "http://" + secret)),
                new Definition("reference", Json.object("{\"type\":\"object\"}").put("$ref", "http://" + secret)),
                new Definition(
                        "dangling",
                        Json.object("{\"type\":\"object\"}")
                                .put(
                                        "$ref",
                                        "#/properties/"
                                                + secret.replace("~", "~0").replace("/", "~1"))),
                new Definition(
                        "pattern",
                        Json.object("{\"type\":\"object\"}")
                                .set("items", Json.object("{}").put("pattern", "(" + secret))));
    }

    private record Definition(String name, JsonNode inputSchema) {
        private String json() {
            return Json.object("{}")
                    .put("name", name)
                    .set("inputSchema", inputSchema)
                    .toString();
        }
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void replacesItInWhatIsSaidOfUnfitTools(String secret) {
        var script = Script.empty();
        var definitions = unfit(secret);
        definitions.forEach(definition -> script.definition(definition.json()));
        var server =
                server(script).tools(definitions.stream().map(Definition::name).toArray(String[]::new));
        try (var kit = kit(secret, server)) {
            var tools = ((Answer.Here<Host.ServerTools>) kit.host.tools("s", new Cancellation())).value();

            assertThat(tools.excluded()).hasSameSizeAs(definitions);
            assertThat(tools.excluded()).allSatisfy(each -> holdsNothingOf(secret, each));
            assertThat(tools.diagnostics()).hasSameSizeAs(definitions);
            assertThat(tools.diagnostics()).allSatisfy(each -> holdsNothingOf(secret, each));
            assertThat(kit.host.status().servers().getFirst().diagnostics()).isEqualTo(tools.diagnostics());
            assertThat(((Answer.Here<List<Host.ListedTool>>) kit.host.discover("s", new Cancellation())).value())
                    .allSatisfy(each -> holdsNothingOf(secret, each));
            for (var definition : definitions) {
                var refused = kit.call("s", definition.name(), "{}").outcome();
                assertThat(refused).isInstanceOf(Outcome.Refused.class);
                holdsNothingOf(secret, refused);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void replacesItInWhatIsSaidOfArguments(String secret) {
        var known = Json.object("{}");
        known.set(secret, Json.parse("{\"enum\":[]}"));
        ((ArrayNode) known.path(secret).path("enum"))
                .add(secret)
                .add(Json.object("{}").put(secret, 1));
        known.set("p", Json.object("{}").put("pattern", "^" + Pattern.quote(secret) + "$"));
        var schema = Json.object("{\"type\":\"object\",\"additionalProperties\":false}");
        schema.set("properties", known);
        schema.putArray("required").add(secret);
        var server = server(Script.empty().definition(new Definition("strict", schema).json()))
                .tools("strict");
        try (var kit = kit(secret, server)) {
            for (var arguments : List.of(
                    Json.object("{}"),
                    Json.object("{}").put(secret, "other"),
                    Json.object("{}").put(secret, secret).put("p", "x"),
                    Json.object("{}").put(secret, secret).put("/" + secret, "x"))) {
                var refused = kit.call("s", "strict", arguments.toString()).outcome();

                assertThat(refused).isInstanceOf(Outcome.Refused.class);
                holdsNothingOf(secret, refused);
            }
            assertThat(kit.call(
                                    "s",
                                    "strict",
                                    Json.object("{}").put(secret, secret).toString())
                            .outcome())
                    .isInstanceOf(Outcome.Succeeded.class);
        }
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void replacesItInWhatIsSaidOfResults(String secret) {
        var definition = Json.object("{\"name\":\"typed\",\"inputSchema\":{\"type\":\"object\"}}");
        definition
                .putObject("outputSchema")
                .put("type", "object")
                .putArray("required")
                .add(secret);
        var script = Script.empty()
                .definition(definition.toString())
                .on("call:typed", "result {\"content\":[],\"structuredContent\":{}}");
        try (var kit = kit(secret, server(script).tools("typed"))) {
            var failed = (Outcome.Failed) kit.call("s", "typed", "{}").outcome();

            assertThat(failed.problem().code()).isEqualTo(ErrorCode.RESULT_INVALID);
            holdsNothingOf(secret, failed.problem());
        }
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void replacesItInWhatIsSaidOfDiscovery(String secret) {
        var cursor = Json.object("{\"tools\":[]}").put("nextCursor", secret);
        var twice = Json.object("{\"tools\":[{},{}]}");
        twice.path("tools").forEach(tool -> ((ObjectNode) tool).put("name", secret));
        for (var answer : List.of(cursor, twice)) {
            var script = Script.empty()
                    .era("legacy")
                    .on("tools/list", "result " + answer)
                    .on("tools/list#2", "result " + answer);
            try (var kit = kit(secret, server(script))) {
                holdsNothingOf(secret, kit.host.tools("s", new Cancellation()));
                holdsNothingOf(secret, kit.host.status());
            }
        }
    }

    @Test
    void replacesItInNamesOfTools() {
        var secret = "tok_abc12";
        var tool = new Definition("x_" + secret, Json.parse("{\"type\":\"object\"}"));
        var server = server(Script.empty().definition(tool.json())).tools(tool.name());
        try (var kit = kit(secret, server)) {
            holdsNothingOf(secret, ((Answer.Here<Host.ServerTools>) kit.host.tools("s", new Cancellation())).value());
            holdsNothingOf(
                    secret, ((Answer.Here<List<Host.ListedTool>>) kit.host.discover("s", new Cancellation())).value());
            assertThat(kit.host.status().servers().getFirst().tools()).containsExactly("x_[redacted:TEST_TOKEN]");
            assertThat(kit.call("s", tool.name(), "{}").outcome()).isInstanceOf(Outcome.Succeeded.class);
        }
    }

    @Test
    void warnsOfASecretTooShortToBeReplacedAndNamesItsReference() {
        try (var kit = kit("abc4567", server(Script.behaving()))) {
            kit.host.tools("s", new Cancellation());

            assertThat(kit.host.status().servers().getFirst().diagnostics())
                    .singleElement()
                    .satisfies(warning -> {
                        assertThat(warning.code()).isEqualTo(ErrorCode.SECRET_SHORT);
                        assertThat(warning.message()).contains("env:TEST_TOKEN").doesNotContain("abc4567");
                    });
        }
        try (var kit = kit("abc45678", server(Script.behaving()))) {
            kit.host.tools("s", new Cancellation());

            assertThat(kit.host.status().servers().getFirst().diagnostics()).isEmpty();
        }
    }
}
