package dev.postern.call;

import dev.postern.base.Problem;

/// Where calls are recorded. [#intend] and [#settle] return only when the record is as durable as the ledger makes
/// it; a call whose intent can't be recorded is not sent (STO-3). Safe for use by many threads.
public interface CallLedger extends AutoCloseable {
    /// Tells that an intent may follow, before the server is started: what takes time can begin. Never waits.
    default void prepare() {}

    /// Records that a call is about to be sent.
    ///
    /// @throws LedgerException when the intent could not be recorded
    void intend(CallIntent intent) throws LedgerException;

    /// Records how the call ended, once for each intent and for each call that got no further than a refusal.
    void settle(CallSettlement settlement) throws LedgerException;

    /// Records nothing any more.
    @Override
    default void close() {}

    /// The ledger could not be written: a full disk, a damaged file.
    final class LedgerException extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        public LedgerException(Problem problem, Throwable cause) {
            super(problem.message(), cause);
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
