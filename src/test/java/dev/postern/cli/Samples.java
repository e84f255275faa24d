package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.catalog.Excluded;
import dev.postern.host.Host.Contained;
import dev.postern.host.Host.ListedTool;
import dev.postern.host.Host.OfferedTool;
import dev.postern.host.Host.ServerStatus;
import dev.postern.host.Host.ServerTools;
import java.time.Instant;
import java.util.List;

/// Servers and tools for the snapshots, hostile ones among them.
final class Samples {
    static final String CONFIG = """
            {
              "mcpServers": [
                {
                  "id": "files", "enabled": true, "command": "npx",
                  "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"],
                  "environment": {"TOKEN": {"credential": "github"}, "LANG": {"value": "C"}},
                  "tools": ["read_file", "list_directory"], "scheduledTools": ["read_file"]
                },
                {
                  "id": "wild", "enabled": true, "command": "/opt/wild", "args": [],
                  "tools": ["zap"], "approval": "auto"
                },
                {"id": "off", "enabled": false, "command": "off", "args": [], "tools": []}
              ]
            }
            """;

    /// Clears the screen, turns the text around, hides a part and is never shown as it is.
    static final String HOSTILE = "nice\u001b[2J\u009b1m \u202egnol\u202c \u200bhidden\udb40\udc41\u0007\n日本 tool😀";

    private Samples() {}

    static void fill(FakeHost host) {
        host.servers.add(new ServerStatus(
                "files",
                true,
                "ready",
                4711L,
                "2025-11-25",
                new Contained("bwrap", null),
                List.of("read_file", "list_directory"),
                List.of("read_file"),
                List.of("list_directory", "read_file"),
                Instant.parse("2026-11-30T12:00:00Z"),
                List.of()));
        host.servers.add(new ServerStatus(
                "wild",
                true,
                "failed",
                null,
                null,
                null,
                List.of("zap"),
                List.of(),
                null,
                null,
                List.of(new Problem(
                        ErrorCode.START_EXITED,
                        "Server wild exited with code 3 before it answered: " + HOSTILE,
                        "Run it again with --show-stderr."))));
        host.servers.add(new ServerStatus(
                "off", false, "disabled", null, null, null, List.of(), List.of(), null, null, List.of()));
        host.tools.put("files", () -> new Answer.Here<>(tools()));
        host.listed.put("files", () -> new Answer.Here<>(listed()));
    }

    private static ServerTools tools() {
        var parameters = FakeHost.json("{\"type\":\"object\",\"properties\":{\"input\":{\"type\":\"string\"}},"
                + "\"required\":[\"input\"],\"additionalProperties\":false}");
        return new ServerTools(
                "files",
                List.of(
                        new OfferedTool(
                                "read_file",
                                "postern_mcp_read_file_0123456789ab",
                                "Reads the complete contents of a file from the file system as text.",
                                parameters,
                                FakeHost.json("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
                                        + "\"head\":{\"type\":[\"number\",\"null\"]},\"any\":{}},"
                                        + "\"required\":[\"path\"]}"),
                                true,
                                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
                        new OfferedTool(
                                "list_directory",
                                "postern_mcp_list_directory_ba9876543210",
                                HOSTILE,
                                parameters,
                                FakeHost.json("{\"type\":\"object\"}"),
                                false,
                                "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752")),
                List.of(new Excluded("bad\u001b[31mname", "name.invalid", "The name holds " + HOSTILE + ".")),
                List.of(new Problem(
                        ErrorCode.TOOL_MISSING,
                        "Server files does not list the configured tool gone.",
                        "Remove it from \"tools\".")));
    }

    private static List<ListedTool> listed() {
        return List.of(
                new ListedTool("read_file", "Reads a file.", true, true, null),
                new ListedTool("write_file", HOSTILE, false, false, null),
                new ListedTool(
                        "deep",
                        "Has a deep schema.",
                        true,
                        false,
                        new Excluded(
                                "deep",
                                "schema.too-deep",
                                "its schema is 17 levels deep, over limits.schemaDepth 16")));
    }
}
