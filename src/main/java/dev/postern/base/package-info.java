/// Values that every layer speaks in: ids, deadlines, limits, problems, threads.
@NullMarked
package dev.postern.base;

import org.jspecify.annotations.NullMarked;
