package dev.postern.transport;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.process.InstanceListener.Ending;

/// Says why a connection over pipes ended.
final class Endings {
    private static final String SEE_STDERR = "Add --show-stderr to see what it printed to standard error";

    private Endings() {}

    static Problem problem(String server, Ending ending) {
        String subject = "Server \"" + server + "\"";
        return switch (ending) {
            case Ending.Exited exited ->
                closed(subject + " is gone: its process " + exited.exit().describe() + ".", SEE_STDERR + ".");
            case Ending.OutputClosed closed ->
                closed(
                        subject + " closed its standard output, though its process (pid " + closed.pid()
                                + ") lived on.",
                        SEE_STDERR + "; a server that closes its standard output can't be talked to.");
            case Ending.InputClosed closed ->
                closed(
                        subject + " closed its standard input, though its process (pid " + closed.pid() + ") lived on.",
                        SEE_STDERR + "; a server that closes its standard input can't be talked to.");
            case Ending.NotReading stuck ->
                new Problem(
                        ErrorCode.WIRE_CLOSED,
                        subject + " did not read its standard input within "
                                + stuck.deadline().describe() + ", and was killed.",
                        SEE_STDERR + ". " + stuck.deadline().howToRaise());
        };
    }

    static Problem stopped(String server) {
        return closed(
                "Server \"" + server + "\" was stopped by Postern.",
                "Start it again by using one of its tools in a new command.");
    }

    private static Problem closed(String message, String next) {
        return new Problem(ErrorCode.WIRE_CLOSED, message, next);
    }
}
