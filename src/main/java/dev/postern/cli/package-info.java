/// Picocli commands, rendering, exit codes. Writes to the streams it is given.
@NullMarked
package dev.postern.cli;

import org.jspecify.annotations.NullMarked;
