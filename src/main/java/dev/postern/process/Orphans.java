package dev.postern.process;

import dev.postern.natives.Adoption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// The daemons of instances that are in no namespace: they become children of this process when they lose their
/// parents, and can be found whatever they did to their environment and session. The kernel adopts for a whole
/// process, hence this one object for it. Safe for use by many threads.
///
/// Which instance an orphan came from is not to be seen. While several are alive, one that nothing else tells is
/// left alone; it ends with the last of them.
final class Orphans {
    static final Orphans OF_THIS_PROCESS = new Orphans();

    private final long self = ProcessHandle.current().pid();
    /// What this process itself has started and what has not ended, by pid.
    private final Map<Long, Process> started = new ConcurrentHashMap<>();
    private int starting;
    private int instances;
    private long notBefore = Long.MAX_VALUE;

    private Orphans() {}

    /// Starts a process. All of this package's go through here: any other child in a session of its own is an
    /// orphan.
    Process start(ProcessBuilder builder) throws IOException {
        synchronized (this) {
            starting++;
        }
        try {
            Process process = builder.start();
            started.put(process.pid(), process);
            // At once, in every kind of containment: a process keeps the buffers of its pipes.
            var _ = process.onExit().thenRun(() -> started.remove(process.pid(), process));
            return process;
        } finally {
            synchronized (this) {
                starting--;
            }
        }
    }

    /// An instance that is in no namespace, and has a session of its own, begins.
    ///
    /// @param bornAfter in clock ticks since boot. Nothing older than the first instance is an orphan of one:
    ///     whoever became this program by `exec` may have had children before
    synchronized void enter(long bornAfter) {
        if (Adoption.inForce()) {
            instances++;
            notBefore = Math.min(notBefore, bornAfter);
        }
    }

    /// It has ended, and what was found of it.
    synchronized void leave() {
        instances = Math.max(0, instances - 1);
    }

    /// Tells who is an orphan, for the last instance that is left; for any other, nobody is.
    ///
    /// The answer holds for processes that were listed before this call: what is being started meanwhile is not in
    /// that list, or known.
    synchronized Predicate<Procfs.Stat> claimable() {
        return instances == 1 && starting == 0 ? adopted() : stat -> false;
    }

    /// Lets go of the orphans that have ended. Cheap: the kernel lists the children of one thread.
    void reap() {
        List<Procfs.Stat> dead = new ArrayList<>();
        for (long child : Procfs.children(self)) {
            Procfs.Stat stat = Procfs.stat(child);
            if (stat != null && stat.dead()) {
                dead.add(stat);
            }
        }
        Predicate<Procfs.Stat> adopted;
        synchronized (this) {
            if (instances == 0 || starting > 0) {
                return;
            }
            adopted = adopted();
        }
        dead.stream().filter(adopted).forEach(stat -> Adoption.reap(stat.pid()));
    }

    /// Our own children stay in our session until the first program of their chain runs, and are known by then.
    private Predicate<Procfs.Stat> adopted() {
        Procfs.Stat own = Procfs.stat(self);
        long session = own == null ? 0 : own.session();
        long first = notBefore;
        return stat -> own != null
                && stat.parent() == self
                && stat.started() >= first
                && stat.session() != session
                && !started.containsKey(stat.pid());
    }
}
