/// The arguments of a call, as a shell can give them (CLI-3): one JSON object, a file, standard input, or
/// `name=value` pairs typed by the tool's own input schema.
///
/// Malformed input: text that is not strict JSON (WIR-3), is not an object, is not UTF-8, or is empty is a
/// usage error with line and column where there is one. A repeated name, a pair without `=`, and a mix of
/// JSON and pairs are usage errors. A value whose type the schema leaves open is a usage error that tells how
/// to give JSON instead: nothing is guessed. More bytes than any configuration may allow are not read at all,
/// and refused.
@NullMarked
package dev.postern.cli.argument;

import org.jspecify.annotations.NullMarked;
