package dev.postern.server;

import dev.postern.catalog.Catalog;
import dev.postern.mcp.McpSession;
import java.time.Instant;

/// A server that is ready: its session, and the catalog taken when it started, which nothing changes (CAT-4).
public record Connected(McpSession session, Catalog catalog, Instant discoveredAt) {
    /// The revision of MCP in force, such as `2025-11-25`.
    public String protocol() {
        return session.protocolVersion();
    }
}
