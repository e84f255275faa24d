package dev.postern.mcp;

/// The two ways MCP has been spoken. HANDSHAKE: revisions 2024-11-05 to 2025-11-25, opened by `initialize`.
/// STATELESS: 2026-07-28, every request carries its own metadata.
public enum Era {
    HANDSHAKE,
    STATELESS
}
