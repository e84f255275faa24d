/// Records of `config.json` and its parser, which reports every problem at once. Pure: it is given text.
///
/// What the parser does with malformed input (CFG-1):
///
/// - Bytes that are not UTF-8: one problem, at the first of them; nothing is read.
/// - A byte order mark at the start: ignored; positions count without it.
/// - More than 1 MiB: refused by whoever reads the file.
/// - A comma too many or too few, a missing colon, a bare key: a problem each, and the reading goes on.
/// - A bad escape, a control character, half a surrogate pair, a bad number or word: likewise; that value is
///   not judged further.
/// - A string or comment that never ends, a bracket that does not match, depth over 64, any other character: a
///   problem, and the end of the reading. What was read so far is not judged, since it may be incomplete.
/// - Text after the value: a problem.
/// - A repeated key: a problem at its second place; the first value counts for further checks.
/// - An unknown key, a wrong type, a value out of bounds: a problem each.
/// - A limit not in plain digits, such as `8.0` or `1e3`: a problem, although a JSON Schema lets it pass.
/// - Entries of `mcpServers` beyond the 64 that any configuration may have: counted, not judged.
/// - More than 100 problems: the first 100 that were found, and the number of the others.
///
/// The text is read by our own small reader and not by a library: positions are exact in code points, several
/// mistakes are survived in one run, no message ever quotes the text at a mistake (which may be a secret), and
/// a command that only checks the configuration loads next to nothing. A test holds it against a library.
@NullMarked
package dev.postern.config;

import org.jspecify.annotations.NullMarked;
