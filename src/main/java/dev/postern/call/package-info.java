/// The one choke point that every tool call goes through.
@NullMarked
package dev.postern.call;

import org.jspecify.annotations.NullMarked;
