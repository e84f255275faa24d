package dev.postern.cli;

import java.util.ArrayList;
import java.util.List;

/// What must be tidied up even when a command does not come to its end. Safe for use by many threads.
final class Leftovers {
    private final List<Runnable> tidying = new ArrayList<>();

    /// Registers `tidy`, which must be quick and harmless when run twice.
    synchronized void add(Runnable tidy) {
        tidying.add(tidy);
    }

    synchronized void tidyUp() {
        tidying.forEach(Runnable::run);
        tidying.clear();
    }
}
