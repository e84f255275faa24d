/// The pool and one supervisor per server.
@NullMarked
package dev.postern.server;

import org.jspecify.annotations.NullMarked;
