/// What the commands write with: two streams made safe for a terminal, tables, JSON text, a progress line.
///
/// Nothing that a server, a file or a caller wrote reaches a terminal as it is: in text for people control,
/// bidirectional and invisible characters are shown as escapes (CAT-5), in JSON they are written as JSON
/// escapes, which keeps the value. A stream whose reader has gone swallows what is left; any other failure to
/// write is remembered and told once at the end (CLI-6).
@NullMarked
package dev.postern.cli.render;

import org.jspecify.annotations.NullMarked;
