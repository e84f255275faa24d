package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeout;
import dev.postern.call.Outcome;
import dev.postern.catalog.Excluded;
import dev.postern.host.HostKit.Server;
import dev.postern.secret.SecretRef;
import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Real servers from npm, as `src/test/interop` pins them.
@ExtendWith(LeavesNothingBehind.class)
class InteropIT {
    private static final Path MODULES =
            Path.of(System.getProperty("postern.interop", "src/test/interop"), "node_modules");

    @TempDir
    private Path dir;

    @BeforeEach
    void needsTheServers() {
        assumeTrue(
                Files.isDirectory(MODULES.resolve("@modelcontextprotocol")),
                "skipped: the servers are not installed; run npm ci --ignore-scripts in src/test/interop");
    }

    private static Server server(String script, String... args) {
        var all =
                new ArrayList<>(List.of(MODULES.resolve(script).toAbsolutePath().toString()));
        all.addAll(List.of(args));
        return Server.of("s", "node", all.toArray(String[]::new)).timeout(Timeout.STARTUP, Duration.ofMinutes(1));
    }

    private static Host.ServerTools tools(HostKit kit) {
        return switch (kit.host.tools("s", new Cancellation())) {
            case Answer.Here<Host.ServerTools> here -> here.value();
            case Answer.Not<Host.ServerTools> not -> throw new AssertionError(not.problem());
        };
    }

    private static Outcome.Succeeded succeeded(HostKit kit, String tool, String arguments) {
        var outcome = kit.call("s", tool, arguments).outcome();
        assertThat(outcome).as("%s", outcome).isInstanceOf(Outcome.Succeeded.class);
        return (Outcome.Succeeded) outcome;
    }

    @Test
    @Tag("CAL-1")
    @Tag("WIR-1")
    void readsAFileThroughTheFilesystemServerAndRefusesToWriteOne() throws Exception {
        var folder = Files.createDirectory(dir.resolve("notes")).toRealPath();
        Files.writeString(folder.resolve("today.txt"), "buy milk");
        var files = server("@modelcontextprotocol/server-filesystem/dist/index.js", folder.toString())
                .tools("read_text_file", "list_directory");
        try (var kit = HostKit.of(dir, files)) {
            var path = Json.object("{}").put("path", folder.resolve("today.txt").toString());
            assertThat(succeeded(kit, "read_text_file", path.toString())
                            .result()
                            .content()
                            .path(0)
                            .path("text")
                            .asText())
                    .isEqualTo("buy milk");

            var write = path.deepCopy().put("content", "gone").toString();
            assertThat(kit.call("s", "write_file", write).outcome()).isInstanceOf(Outcome.Refused.class);
            assertThat(Files.readString(folder.resolve("today.txt"))).isEqualTo("buy milk");

            var outside = Json.object("{\"path\":\"/etc/hostname\"}").toString();
            assertThat(kit.call("s", "read_text_file", outside).outcome()).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    @Tag("RES-3")
    @Tag("CAT-3")
    void usesServerEverythingWithoutItsPicturesAndTasks() {
        var everything = server("@modelcontextprotocol/server-everything/dist/index.js", "stdio")
                .tools("echo", "get-sum", "get-tiny-image", "get-structured-content", "simulate-research-query");
        try (var kit = HostKit.of(dir, everything)) {
            assertThat(tools(kit).tools()).extracting(Host.OfferedTool::name).contains("echo", "get-sum");
            assertThat(tools(kit).excluded())
                    .as("a tool that demands task support is excluded")
                    .extracting(Excluded::name)
                    .containsExactly("simulate-research-query");
            assertThat(succeeded(kit, "get-sum", "{\"a\":2,\"b\":3}")
                            .result()
                            .content()
                            .toString())
                    .contains("5");
            var image = succeeded(kit, "get-tiny-image", "{}").result();
            assertThat(image.omittedContent()).containsEntry("image", 1);
            assertThat(image.content().toString()).contains("[omitted: image]");
            var structured = succeeded(kit, "get-structured-content", "{\"location\":\"Chicago\"}")
                    .result();
            assertThat(structured.structuredContent()).isNotNull();
        }
    }

    @Test
    @Tag("CAL-6")
    void keepsAKnowledgeGraphThroughTheMemoryServer() {
        var memory = server("@modelcontextprotocol/server-memory/dist/index.js")
                .tools("create_entities", "read_graph")
                .variable(
                        "MEMORY_FILE_PATH",
                        new SecretRef.Literal(dir.resolve("memory.jsonl").toString()));
        try (var kit = HostKit.of(dir, memory)) {
            succeeded(
                    kit,
                    "create_entities",
                    "{\"entities\":[{\"name\":\"Postern\",\"entityType\":\"gate\",\"observations\":[\"narrow\"]}]}");

            assertThat(Json.present(succeeded(kit, "read_graph", "{}").result().structuredContent())
                            .toString())
                    .contains("\"Postern\"", "\"narrow\"");
        }
    }

    @Test
    @Tag("CAL-1")
    void thinksSequentially() {
        var thinking = server("@modelcontextprotocol/server-sequential-thinking/dist/index.js")
                .tools("sequentialthinking");
        try (var kit = HostKit.of(dir, thinking)) {
            var result = succeeded(
                            kit,
                            "sequentialthinking",
                            "{\"thought\":\"a\",\"nextThoughtNeeded\":false,\"thoughtNumber\":1,\"totalThoughts\":1}")
                    .result();

            assertThat(result.content()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolPin.class)
    @Tag("WIR-1")
    void speaksBothErasWithContext7(ProtocolPin pin) {
        var context7 =
                server("@upstash/context7-mcp/dist/index.js").protocol(pin).tools("resolve-library-id", "query-docs");
        try (var kit = HostKit.of(dir, context7)) {
            assertThat(tools(kit).tools()).isNotEmpty();
            assertThat(kit.host.status().servers().getFirst().protocol())
                    .isEqualTo(pin == ProtocolPin.LEGACY ? "2025-11-25" : "2026-07-28");
        }
    }
}
