package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Every process of one instance, and how to end them (PRC-3). In a namespace that is its first process: the
/// kernel kills the rest with it. Elsewhere a process belongs to the instance that descends from it, shares its
/// session, has its marker in the environment, or did any of that when we looked before.
final class ProcessTree {
    private static final int SIGTERM = 15;
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final SpawnChain chain;
    private final ProcessHandle started;
    private final Descent descent;
    private final String marker;
    private final long bornAt;
    private final Map<Long, Long> known = new HashMap<>();

    /// @param marker `POSTERN_INSTANCE=…`
    ProcessTree(Descent descent, String marker) {
        this.chain = descent.chain();
        this.started = descent.started();
        this.descent = descent;
        this.marker = marker;
        Procfs.Stat stat = Procfs.stat(started.pid());
        this.bornAt = stat == null ? 0 : stat.started();
    }

    /// The process we asked for, as this machine sees it.
    ProcessHandle own() {
        return descent.own();
    }

    /// Remembers who belongs to the instance now: after its parent's death nobody could tell.
    synchronized void look() {
        if (descent.namespace().isEmpty()) {
            members();
        }
    }

    /// The processes to ask, in this order, to end the server: where a launcher such as `sh -c` or `npx` waits for
    /// the real server, that one comes first, since the launcher would go without passing the wish on and take the
    /// namespace with it. A real server is an only child that has the server's standard input for its own.
    List<ProcessHandle> toTerminate() {
        ProcessHandle own = descent.own();
        ProcessHandle last = own;
        String input = Procfs.standardInput(own.pid());
        Set<Long> seen = new HashSet<>();
        while (input.startsWith("pipe:") && seen.add(last.pid())) {
            List<Long> children = Procfs.children(last.pid());
            if (children.size() != 1
                    || !Procfs.standardInput(children.getFirst()).equals(input)) {
                break;
            }
            ProcessHandle child = ProcessHandle.of(children.getFirst()).orElse(null);
            if (child == null) {
                break;
            }
            last = child;
        }
        return last.equals(own) ? List.of(own) : List.of(last, own);
    }

    /// Whether SIGTERM would be lost on `process`: the kernel spares the first process of a namespace what it does
    /// not handle, where any other process would have died at once.
    boolean deafToTerm(ProcessHandle process) {
        return chain.kind() == Containment.Kind.UNSHARE
                && process.equals(descent.own())
                && Procfs.defaultsSignal(process.pid(), SIGTERM);
    }

    /// Kills until nothing is left or the deadline has passed; reads again after every round, since what dies may
    /// have had children meanwhile.
    ///
    /// @return the pids that are left
    synchronized List<Long> kill(Deadline deadline) {
        while (true) {
            List<ProcessHandle> left = living();
            if (left.isEmpty()) {
                return List.of();
            }
            left.forEach(ProcessHandle::destroyForcibly);
            if (deadline.expired()) {
                Threads.pause(PAUSE);
                return living().stream().map(ProcessHandle::pid).toList();
            }
            Threads.pause(PAUSE);
        }
    }

    private List<ProcessHandle> living() {
        List<ProcessHandle> left = new ArrayList<>();
        if (alive(started)) {
            left.add(started);
        }
        List<ProcessHandle> namespace = descent.namespace();
        for (ProcessHandle process : namespace) {
            if (alive(process)) {
                left.add(process);
            }
        }
        if (namespace.isEmpty()) {
            left.addAll(members());
        }
        return left;
    }

    private static boolean alive(ProcessHandle process) {
        return process.isAlive() && (!Procfs.available() || Procfs.alive(process.pid()));
    }

    /// The living members outside a namespace, the outermost process left out.
    private List<ProcessHandle> members() {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Procfs.available()) {
            started.descendants().forEach(found::add);
            return found;
        }
        long self = ProcessHandle.current().pid();
        List<Procfs.Stat> all = Procfs.all();
        // Once the pid has gone to somebody else, neither parents nor sessions say anything about us.
        boolean reused = all.stream().anyMatch(stat -> stat.pid() == started.pid() && stat.started() != bornAt);
        Set<Long> descendants = reused ? Set.of() : descendants(all);
        boolean session = !reused && chain.kind() != Containment.Kind.NONE;
        for (Procfs.Stat stat : all) {
            if (stat.dead() || stat.pid() == self || stat.pid() == started.pid() || stat.started() < bornAt) {
                continue;
            }
            Long before = known.get(stat.pid());
            boolean ours = descendants.contains(stat.pid())
                    || (before != null && before == stat.started())
                    || (session && stat.session() == started.pid())
                    || Procfs.environmentHolds(stat.pid(), marker);
            if (ours) {
                known.put(stat.pid(), stat.started());
                ProcessHandle.of(stat.pid()).ifPresent(handle -> {
                    Procfs.Stat now = Procfs.stat(stat.pid());
                    if (now != null && now.started() == stat.started()) {
                        found.add(handle);
                    }
                });
            }
        }
        return found;
    }

    private Set<Long> descendants(List<Procfs.Stat> all) {
        Set<Long> found = new HashSet<>(List.of(started.pid()));
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Procfs.Stat stat : all) {
                grew |= found.contains(stat.parent()) && found.add(stat.pid());
            }
        }
        return found;
    }
}
