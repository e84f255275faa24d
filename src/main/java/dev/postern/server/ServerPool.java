package dev.postern.server;

import dev.postern.base.Answer;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.config.Config;
import dev.postern.process.Containment;
import dev.postern.process.Launcher;
import dev.postern.process.Sweep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/// One supervisor for each configured server, in the order of the configuration. Starts nothing by itself
/// (PRC-2). Safe for use by many threads.
public final class ServerPool implements ToolSources, AutoCloseable {
    private final Map<String, ServerSupervisor> supervisors = new LinkedHashMap<>();
    private final Config config;
    private final Launcher launcher;

    public ServerPool(Config config, Surroundings surroundings) {
        this.config = config;
        this.launcher = surroundings.launcher();
        for (var entry : config.servers()) {
            supervisors.put(entry.id(), new ServerSupervisor(entry, surroundings));
        }
    }

    public Collection<ServerSupervisor> supervisors() {
        return supervisors.values();
    }

    /// The supervisor of `server`, or that there is no such server and which name is near.
    @Override
    public Answer<ServerSupervisor> find(String server) {
        var found = supervisors.get(server);
        return found == null ? new Answer.Not<>(config.unknown(server, "config.json")) : new Answer.Here<>(found);
    }

    /// What the next server would be started in.
    public Containment containment() {
        return launcher.outlook();
    }

    /// What was ended that killed hosts had left behind, before the first server was started.
    public List<Sweep.Remains> swept() {
        return launcher.swept();
    }

    /// Stops all servers side by side and returns when nothing of them is left, at the latest when the longest
    /// `timeouts.close` has passed (PRC-3).
    ///
    /// @return for each server of which something could not be ended, what
    public List<Problem> stop() {
        var left = new ConcurrentLinkedQueue<Problem>();
        var stopping = new ArrayList<Thread>();
        for (var supervisor : supervisors.values()) {
            stopping.add(Threads.virtual("stop-" + supervisor.id(), () -> {
                var problem = supervisor.stop();
                if (problem != null) {
                    left.add(problem);
                }
            }));
        }
        for (var thread : stopping) {
            Threads.join(thread);
        }
        return List.copyOf(left);
    }

    /// Has every server ended at once: a [#stop] that is under way, or comes next, has nothing left to wait for.
    public void hurry() {
        for (var supervisor : supervisors.values()) {
            Threads.virtual("hurry-" + supervisor.id(), supervisor::stopAtOnce);
        }
    }

    /// As [#stop], for whoever has nobody to tell.
    @Override
    public void close() {
        var _ = stop();
    }
}
