/// Finds out which era a server is of and opens a session in it (WIR-1).
@NullMarked
package dev.postern.mcp.opening;

import org.jspecify.annotations.NullMarked;
