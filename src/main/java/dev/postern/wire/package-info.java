/// JSON-RPC 2.0 on bytes: framing, strict JSON, sealed messages, correlation. Pure: no sockets, files or
/// clocks. The MCP client, the control socket and the gateway all speak through it.
///
/// # What becomes of malformed input
///
/// Bytes pass four gates. Each has one answer for everything it does not like, and none throws.
///
/// [FrameDecoder] cuts lines.
///
/// - A line of more bytes than the frame limit closes the connection at the first byte too many, before
///   anything is decoded. CR and byte order mark count, LF does not.
/// - CR before LF and one byte order mark at the start of a line are dropped.
/// - A line without LF at the end of the stream is never a message.
/// - So are an empty line and every line that one of the next two gates refuses: counted, its text forgotten.
///   Too many lines of noise close the connection.
///
/// [StrictJson] calls malformed:
///
/// - invalid UTF-8: overlong forms, encoded surrogates, code points over U+10FFFF; UTF-16 and UTF-32, as no
///   encoding is ever guessed;
/// - a second byte order mark, NUL, and any white space but space, tab, CR and LF;
/// - unescaped control characters in strings, unknown escapes;
/// - `\uD800` to `\uDFFF`, unless a high one is directly followed by a low one;
/// - the same key twice in one object, compared after escapes are resolved; `id` and `ID` are different keys;
/// - anything but white space after the value, and no value at all;
/// - containers nested over 64 deep, at the 65th opening bracket;
/// - a number of over 64 digits before its exponent, as written, zeros counted, at the 65th digit;
/// - an exponent, as written, beyond ±400, even of zero, before any number is made of it;
/// - `NaN`, `Infinity`, `+1`, `.5`, `1.`, `01`, `0x1`, comments, single quotes, trailing commas.
///
/// [MessageCodec] calls invalid:
///
/// - `jsonrpc` missing or not `"2.0"`; an array (batch) and any other value that is no object;
/// - `method` together with `result` or `error`; `method` not a string; `params` not an object;
/// - `result` and `error` both, or neither, even where one of them is null;
/// - an `id` that is neither a string nor an integer; `1.0` is no integer;
/// - `error` without an integer `code` of 32 bits or without a string `message`.
///
/// An error whose `id` is null or missing is a valid failure that answers no request: the peer could not tell
/// which one it means. Members that JSON-RPC does not know are ignored.
///
/// [Correlator] counts a response whose id is unknown, repeated or late; it completes nothing.
///
/// # Why the JSON reader is ours
///
/// Trees are Jackson's; the text is read and written here. Jackson's parser lets unpaired surrogates and some
/// malformed UTF-8 through, guesses UTF-16 and UTF-32, and quotes the text in its messages. A reader of one
/// page in which each rule above is one visible check is easier to trust than settings that have to add up to
/// it. A test holds the two against each other.
///
/// A decoded tree may take some forty times the bytes of its frame (a frame full of `{},`), no more: the
/// frame limit bounds it.
@NullMarked
package dev.postern.wire;

import org.jspecify.annotations.NullMarked;
