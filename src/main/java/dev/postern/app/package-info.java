/// Main, wiring, start and stop order.
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
