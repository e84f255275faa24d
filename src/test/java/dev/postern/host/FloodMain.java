package dev.postern.host;

import dev.postern.base.Cancellation;
import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// A host of its own process: calls the tool `echo` of a server that follows the script in a file, then one of
/// a server that behaves, and prints what came of it, a line each.
final class FloodMain {
    private FloodMain() {}

    /// Runs one flood.
    ///
    /// @param args data directory, script file, pages allowed
    public static void main(String... args) throws IOException {
        var script = Script.behaving();
        var words = new ArrayList<>(script.args());
        words.set(words.size() - 1, "@" + args[1]);
        words.replaceAll(word -> word.startsWith("-Xmx") ? "-Xmx32m" : word);
        var flooding = Server.of("s", script.command(), words.toArray(String[]::new))
                .timeout(Timeout.STARTUP, Duration.ofMinutes(1))
                .timeout(Timeout.CALL, Duration.ofMinutes(10))
                .limit(Limit.PAGES, Integer.parseInt(args[2]));
        try (var kit = HostKit.of(Path.of(args[0]), flooding, Server.of("t", Script.behaving()))) {
            kit.host.tools("t", new Cancellation());
            long before = kibibytes("VmRSS");
            var outcome = kit.call("s", "echo", "{\"text\":\"x\"}").outcome();
            say("outcome", name(outcome));
            say("tail", kit.host.stderrTail("s").lines().findFirst().orElse(""));
            say("other", name(kit.call("t", "echo", "{\"text\":\"y\"}").outcome()));
            say("grown", Long.toString(kibibytes("VmHWM") - before));
        }
    }

    private static String name(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> "succeeded";
            case Outcome.Failed failed -> failed.problem().toString();
            case Outcome.Refused refused -> refused.problem().toString();
            case Outcome.NotSent notSent -> notSent.problem().toString();
            case Outcome.Unknown unknown -> unknown.problem().toString();
        };
    }

    /// Nothing but the answers of the host goes to standard output.
    private static void say(String key, @Nullable String value) {
        System.out.println(key + "=" + value);
    }

    private static long kibibytes(String key) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(key + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
