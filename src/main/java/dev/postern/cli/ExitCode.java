package dev.postern.cli;

import dev.postern.base.ErrorCode;
import dev.postern.base.ErrorKind;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;

/// The one place that turns a family of problems into an exit code (CLI-5).
final class ExitCode {
    static final int DONE = 0;
    static final int INTERNAL = 1;

    private ExitCode() {}

    static int of(ErrorKind kind) {
        return switch (kind) {
            case INTERNAL -> INTERNAL;
            case USAGE -> 2;
            case CONFIGURATION -> 3;
            case UNAVAILABLE -> 4;
            case FAILED -> 5;
            case UNKNOWN -> 6;
            case REFUSED -> 7;
            case WORKER -> 8;
            case MODEL -> 9;
            case CANCELLED -> 130;
        };
    }

    static int of(Problem problem) {
        // The owner cancelled the call: its outcome is unknown, and the command was cancelled.
        return of(
                problem.code() == ErrorCode.UNKNOWN_CANCELLED
                        ? ErrorKind.CANCELLED
                        : problem.code().kind());
    }

    static int of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> DONE;
            case Outcome.Failed failed -> of(ErrorKind.FAILED);
            case Outcome.Refused refused -> of(refused.problem());
            case Outcome.NotSent notSent -> of(notSent.problem());
            case Outcome.Unknown unknown ->
                unknown.problem().code() == ErrorCode.UNKNOWN_CANCELLED
                        ? of(ErrorKind.CANCELLED)
                        : of(ErrorKind.UNKNOWN);
        };
    }
}
