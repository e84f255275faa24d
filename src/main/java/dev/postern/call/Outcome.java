package dev.postern.call;

import dev.postern.base.Problem;

/// How a call ended (CAL-2). Exactly one per call, recorded before anyone is told.
public sealed interface Outcome {
    /// The server did it and answered.
    record Succeeded(ToolResult result) implements Outcome {}

    /// The server answered an error; `result` holds what it said, redacted and shortened.
    record Failed(Problem problem, ToolResult result) implements Outcome {}

    /// Policy, schema, approval or a limit said no. Nothing was sent.
    record Refused(Problem problem) implements Outcome {}

    /// The server was unavailable or could not be written to. Nothing was sent.
    record NotSent(Problem problem) implements Outcome {}

    /// Sent, and no valid answer: the server may have done it.
    record Unknown(Problem problem) implements Outcome {}

    /// The word that records and `--json` use: `succeeded`, `failed`, `refused`, `not-sent`, `unknown`.
    default String word() {
        return switch (this) {
            case Succeeded s -> "succeeded";
            case Failed f -> "failed";
            case Refused r -> "refused";
            case NotSent n -> "not-sent";
            case Unknown u -> "unknown";
        };
    }
}
