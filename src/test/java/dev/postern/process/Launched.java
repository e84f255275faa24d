package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.process.Containment.Kind;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.Script;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A server that a test started, what it wrote so far, and how it ended.
final class Launched implements InstanceListener {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "HOME", "/tmp");

    private final StringBuilder line = new StringBuilder();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();
    private @Nullable Instance instance;

    static Launched of(Kind kind, Script script) {
        return of(new Launcher(Toolbox.system(), kind), script);
    }

    static Launched of(Launcher launcher, Script script) {
        return of(launcher, spec(script.command(), script.args()), Duration.ofSeconds(10));
    }

    static Launched of(Launcher launcher, LaunchSpec spec, Duration writeLimit) {
        var launched = new Launched();
        launched.instance = switch (launcher.launch(spec, launched, writeLimit, deadline(20))) {
            case Launcher.Launch.Started started -> started.instance();
            case Launcher.Launch.Failed failed -> throw new AssertionError(failed.problem());
        };
        return launched;
    }

    static LaunchSpec spec(String command, List<String> args) {
        return new LaunchSpec("it", command, args, null, ENVIRONMENT, Map.<String, SecretValue>of());
    }

    static Deadline deadline(int seconds) {
        return Deadline.after(Duration.ofSeconds(seconds), Timeout.CLOSE);
    }

    Instance instance() {
        if (instance == null) {
            throw new IllegalStateException();
        }
        return instance;
    }

    void send(String text) {
        var _ = instance().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Shakes hands and calls a tool; its answer's line.
    String call(String tool, String arguments) {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}");
        read();
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}");
        return read();
    }

    String read() {
        return taken(lines);
    }

    Ending ending() {
        return taken(endings);
    }

    boolean toldMore() {
        return !endings.isEmpty();
    }

    /// Stops within less than the standard time: 1.8 s for the end of input, 0.9 s for SIGTERM.
    List<Long> stop() {
        return instance().stop(deadline(3));
    }

    private static <T> T taken(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing came within " + PATIENCE);
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void output(byte[] buffer, int count) {
        for (char c : new String(buffer, 0, count, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (c == '\n') {
                lines.add(line.toString());
                line.setLength(0);
            } else {
                line.append(c);
            }
        }
    }

    @Override
    public void ended(Ending ending) {
        endings.add(ending);
    }
}
