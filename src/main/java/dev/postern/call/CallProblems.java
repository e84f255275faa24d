package dev.postern.call;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.call.CallLedger.LedgerException;

/// What a call's end says where no server had a word in it.
final class CallProblems {
    private CallProblems() {}

    static Problem notOffered(Problem why) {
        return new Problem(why.code(), why.message() + " Nothing was sent.", why.next());
    }

    static Problem nobodyToAsk(String server, String tool) {
        return new Problem(
                ErrorCode.POLICY_APPROVAL,
                "The tool \"" + tool + "\" of the server \"" + server
                        + "\" needs its owner's approval, and nobody gave it. Nothing was sent.",
                "Call it yourself with `postern call " + server + " " + tool
                        + "`, or set \"approval\": \"auto\" for the server.");
    }

    static Problem busy(String server) {
        return new Problem(
                ErrorCode.SERVER_BUSY,
                "Another call was in flight on the server \"" + server + "\" for the whole of " + Timeout.CALL.key()
                        + ". Nothing was sent.",
                "Try again, or set \"parallel\": true for the server if it can take several calls at once.");
    }

    static Problem cancelledBefore(String server) {
        return new Problem(
                ErrorCode.CANCELLED,
                "The call was cancelled before it was sent to the server \"" + server + "\".",
                "Nothing was sent; call again when you like.");
    }

    static Problem noIntent(Exception unwritable) {
        var why = why(unwritable);
        return new Problem(
                why.code(),
                "The call could not be recorded: " + Classifier.withoutFullStop(why.message()) + ". Nothing was sent.",
                why.next());
    }

    static Problem noOutcome(Exception unwritable) {
        var why = why(unwritable);
        return new Problem(
                why.code(),
                "The call was sent and answered, but how it ended could not be recorded: "
                        + Classifier.withoutFullStop(why.message()) + ".",
                why.next() + " And check with the server before you call again.");
    }

    private static Problem why(Exception fault) {
        return fault instanceof LedgerException told
                ? told.problem()
                : new Problem(
                        ErrorCode.STORAGE_UNWRITABLE,
                        fault.getMessage() == null ? fault.getClass().getSimpleName() : fault.getMessage(),
                        "Make room or repair the data directory, then try again.");
    }
}
