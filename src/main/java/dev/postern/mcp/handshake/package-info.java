/// The handshake era: revisions 2024-11-05 to 2025-11-25, opened by `initialize`.
/// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
@NullMarked
package dev.postern.mcp.handshake;

import org.jspecify.annotations.NullMarked;
