/// Rules and modes, and the one decision function. Pure.
@NullMarked
package dev.postern.policy;

import org.jspecify.annotations.NullMarked;
