/// The bundled demo server: a small, well-behaved MCP server over standard input and output that speaks both
/// eras. A separate program in the same artifact: it shares no code with the client it is called by, but the
/// JSON codec.
///
/// Malformed input: a line that is not JSON gets −32700, one that is no request −32600 (and a notification or
/// an answer nothing); an unknown method −32601; bad parameters −32602. Nothing ends the server but the end
/// of its input.
@NullMarked
package dev.postern.demo;

import org.jspecify.annotations.NullMarked;
