@NullMarked
package dev.postern.cli.argument;

import org.jspecify.annotations.NullMarked;
