/// Microbenchmarks of what every call passes through. `deploy/bench/micro.sh` runs them.
@NullMarked
package dev.postern.bench;

import org.jspecify.annotations.NullMarked;
