/// The stateless era: revision 2026-07-28, in which every request carries its own metadata.
/// https://modelcontextprotocol.io/specification/2026-07-28
@NullMarked
package dev.postern.mcp.stateless;

import org.jspecify.annotations.NullMarked;
