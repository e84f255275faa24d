/// Where secret values come from: protected files and the environment.
///
/// A credential file is trusted with a secret, so nothing about it is guessed or repaired. What is refused, each
/// with its own message that never shows what stands in the file:
///
/// - the data directory: not ours, or writable by others;
/// - `auth/`: not a real directory, not ours, any permission for others;
/// - the file: not a regular file, not ours, another mode than 0600, more than one name, over 4 KiB, replaced or
///   changed while it was read;
/// - its text: not UTF-8, a byte order mark, not JSON, text after the object, another key than `version`,
///   `provider` and `key`, a repeated or missing one, a value of the wrong type, another version than 1, another
///   provider than the name of the file, an empty or blank secret, a NUL or an unpaired surrogate in it.
@NullMarked
package dev.postern.secret.source;

import org.jspecify.annotations.NullMarked;
