package dev.postern.app;

import dev.postern.base.Timeout;
import dev.postern.call.CallService;
import dev.postern.config.Config;
import dev.postern.config.ServerEntry;
import java.time.Duration;

/// How long a worker of this configuration takes to end, once it is told to (WRK-4).
final class Patience {
    /// For what is not a server's doing: the output of a command that has its answer.
    static final Duration GRACE = Duration.ofSeconds(2);

    private Patience() {}

    /// For calls in flight: as long as a call that was just sent may take, to a server that was just started.
    static Duration toDrain(Config config) {
        var longest = Duration.ZERO;
        for (var server : config.servers()) {
            longest = longer(longest, sum(server, Timeout.STARTUP, Timeout.CALL));
        }
        return longest.plus(GRACE);
    }

    /// For all of it: then servers end, what they did is recorded, and clients get their last output.
    static Duration toEnd(Config config) {
        var longest = Duration.ZERO;
        for (var server : config.servers()) {
            longest = longer(longest, sum(server, Timeout.CLOSE));
        }
        return toDrain(config).plus(longest).plus(CallService.CLOSING).plus(GRACE);
    }

    private static Duration sum(ServerEntry server, Timeout... timeouts) {
        var sum = Duration.ZERO;
        for (var timeout : timeouts) {
            sum = sum.plus(server.timeouts().get(timeout));
        }
        return sum;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
