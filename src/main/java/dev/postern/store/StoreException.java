package dev.postern.store;

import dev.postern.base.Problem;

/// The records could not be read or written: a full disk, a file that is damaged, read-only or newer than this
/// program.
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public StoreException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    StoreException(Problem problem, Throwable cause) {
        super(problem.message(), cause);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
