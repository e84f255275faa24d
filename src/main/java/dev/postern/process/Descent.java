package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The way from the process we started, through the programs of its chain, down to the server's own process. It is
/// found while the chain sets itself up, or whenever somebody asks later, and then stays. Safe for use by many
/// threads.
final class Descent {
    private final SpawnChain chain;
    private final Process process;
    private List<ProcessHandle> path;
    private boolean arrived;

    Descent(SpawnChain chain, Process process) {
        this.chain = chain;
        this.process = process;
        this.path = List.of(process.toHandle());
        this.arrived = chain.kind() == Containment.Kind.NONE || !Procfs.available();
    }

    /// Whether the process that was started has not been seen to end. Needs no descriptor.
    boolean running() {
        return process.isAlive();
    }

    SpawnChain chain() {
        return chain;
    }

    ProcessHandle started() {
        return process.toHandle();
    }

    /// Waits until the server's own program runs, the chain has ended, or patience has.
    void settle(Duration most) {
        var patience = Deadline.after(most, Timeout.STARTUP);
        try {
            while (!arrived() && !process.waitFor(1, TimeUnit.MILLISECONDS) && !patience.expired()) {
                // The chain takes some ten milliseconds.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether the server's own program was seen running. Looks again as long as it was not.
    synchronized boolean arrived() {
        if (!arrived && process.isAlive()) {
            List<ProcessHandle> down = new ArrayList<>(List.of(process.toHandle()));
            while (down.size() <= chain.depth() && descend(down)) {
                // One generation further.
            }
            path = List.copyOf(down);
            arrived = path.size() == chain.depth() + 1
                    && !chain.stillSpawning(Procfs.commandLine(path.getLast().pid()));
        }
        return arrived;
    }

    /// The server's own process, or the lowest one of the chain while that does not run yet.
    synchronized ProcessHandle own() {
        var _ = arrived();
        return path.getLast();
    }

    /// The processes below the one we started whose end the kernel makes that of everything; empty where there is
    /// no namespace, or it was not seen.
    synchronized List<ProcessHandle> namespace() {
        return chain.kind().namespace() && arrived ? path.subList(1, path.size()) : List.of();
    }

    private static boolean descend(List<ProcessHandle> path) {
        List<Long> children = Procfs.children(path.getLast().pid());
        ProcessHandle child = children.isEmpty()
                ? null
                : ProcessHandle.of(children.getFirst()).orElse(null);
        return child != null && path.add(child);
    }
}
