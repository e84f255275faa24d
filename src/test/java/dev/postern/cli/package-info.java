@NullMarked
package dev.postern.cli;

import org.jspecify.annotations.NullMarked;
