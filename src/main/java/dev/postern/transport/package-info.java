/// Byte streams of a server as `Connection`s. What malformed input does is `wire`'s business; its verdict closes
/// the connection and stops the instance behind it.
@NullMarked
package dev.postern.transport;

import org.jspecify.annotations.NullMarked;
