package dev.postern.call;

import java.time.Instant;

/// Where calls are recorded. Both methods return only when the record is as durable as the ledger makes it; a call
/// whose
/// intent can't be recorded is not sent (STO-3). Safe for use by many threads.
public interface CallLedger {
    /// Records that a call is about to be sent.
    ///
    /// @throws LedgerException when the intent could not be recorded
    void intend(CallIntent intent) throws LedgerException;

    /// Records how the call ended, once for each intent and for each call that got no further than a refusal.
    void settle(String callId, String server, String tool, Outcome outcome, Instant at) throws LedgerException;

    /// The ledger could not be written: a full disk, a damaged file.
    final class LedgerException extends Exception {
        private static final long serialVersionUID = 1;

        public LedgerException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
