/// MCP messages and what the sessions of both eras share, over a [dev.postern.mcp.Connection]. Pure: no
/// sockets, files or clocks. One package per era (`handshake`, `stateless`), and one that finds out which
/// (`opening`).
///
/// # What becomes of a server that breaks the protocol
///
/// - A response that no request waits for is counted and completes nothing (WIR-4).
/// - A notification, whatever it says and however many there are, is counted; nothing is queued, kept or
///   changed (WIR-8).
/// - A request in the handshake era, or while the era is unknown: `ping` gets `{}`, anything else −32601 and
///   is counted (WIR-5). At most 32 answers wait to be written, and no id over 256 characters is repeated:
///   what goes beyond gets no answer.
/// - A request in the stateless era is counted and never answered; the 17th closes the connection.
/// - A write that failed midway settles its request as `Ended`: what went out may be read as a message once
///   the stream ends, so the server may act.
/// - A `server/discover` result without usable `supportedVersions` and an `initialize` result without
///   `protocolVersion` are no valid answers: the other era gets its chance where the configuration allows it.
///
/// Results of `tools/call` are handed on as they came: judging them is the caller's.
@NullMarked
package dev.postern.mcp;

import org.jspecify.annotations.NullMarked;
