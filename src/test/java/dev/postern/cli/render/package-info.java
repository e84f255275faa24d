@NullMarked
package dev.postern.cli.render;

import org.jspecify.annotations.NullMarked;
