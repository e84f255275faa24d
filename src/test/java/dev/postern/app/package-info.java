/// Proof of the program as a whole, and of the scripts that start and build it.
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
