package dev.postern.server;

import dev.postern.process.StderrTail.Tail;
import dev.postern.secret.Redactor;

/// What a server wrote to standard error, fit to be shown (PRC-6).
final class StderrText {
    private StderrText() {}

    /// The tail, redacted. Where older text was dropped it says so, and what may be the rest of a secret at the
    /// start is replaced too.
    static String of(Tail tail, Redactor redactor) {
        if (tail.dropped() == 0) {
            return redactor.redact(tail.text()).text();
        }
        return "[" + tail.dropped() + " bytes before this were dropped]\n"
                + redactor.redactTail(tail.text()).text();
    }
}
