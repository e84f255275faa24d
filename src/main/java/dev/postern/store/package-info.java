/// What outlives a process: so far the discoveries, one small file a server.
@NullMarked
package dev.postern.store;

import org.jspecify.annotations.NullMarked;
