/// The control socket: the server by which the owning worker takes command lines, and the client that forwards
/// one (WRK-2).
///
/// # What is said
///
/// A Unix socket in `run/`, JSON-RPC 2.0, one message a line, under the codec of [dev.postern.wire] and its
/// strictness. A connection carries one conversation, which the client begins with one request; after its
/// answer the worker closes.
///
/// - `run` `{control, arguments[], directory, dataDir, columns, terminals, colour}` runs one command line. First comes
/// the notification `taken`: until then nothing was begun, and the client may run the command itself. The
/// answer is `{exitCode}`. `terminals` holds the digits of those of the streams 0, 1, 2 that are terminals.
/// Nothing of the client's environment is in it.
/// - `status` `{control}` answers what the worker is and holds.
/// - `stop` `{control}` asks it to end; the answer `{process, patienceMillis}` comes at once, the end later.
/// A worker that is ending goes on answering this and `status`, and takes no command any more.
///
/// While a command runs, the worker sends the notification `output` `{stream, base64}`, and the requests
/// `flush` `{stream}`, which is answered when everything before it has left the client, with `{error?}` if it
/// could not, and `read` `{file?, most}`, for bytes of standard input or of a file that the command line names,
/// answered with `{base64}` (nothing in it at the end) or a failure, and `waiting` `{}`, answered with `{bytes}`, how
/// much of standard input could be read at once. The client sends the notification `cancel`.
///
/// # What becomes of a bad peer
///
/// - Another user's process, or one that descends from an instance of ours: closed without a word, logged. So is one
/// whose descent the kernel does not tell: it has ended already, or lives in a PID namespace that can't be
/// looked into. And one whose own environment can't be read; see [Gatekeeper].
/// - The 65th connection: told that the worker is busy, closed.
/// - No request within five seconds, be it silence or half a line: closed.
/// - A line over the frame limit, over 16 lines of noise, a second request, a message that fits nowhere: closed, and
/// its command is cancelled.
/// - A client that vanishes: its command is cancelled.
/// - A client that does not read: its own command waits in its next write, nothing else does; what is buffered for it
/// is what the kernel buffers.
/// - Another control version: refused with `worker.version`.
@NullMarked
package dev.postern.control;

import org.jspecify.annotations.NullMarked;
