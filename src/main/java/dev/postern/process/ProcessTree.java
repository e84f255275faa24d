package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import dev.postern.natives.DirectSignals;
import dev.postern.process.Attempt.Trace;
import dev.postern.process.Containment.Kind;
import dev.postern.process.Members.Root;
import dev.postern.process.Procfs.Unreadable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Every process of one instance, and how to end them (PRC-3). In a namespace that is its first process: the
/// kernel kills the rest with it. Elsewhere [Members] tells, and [Orphans].
final class ProcessTree {
    private static final int SIGTERM = 15;
    private static final Duration BLIND = Duration.ofMillis(20);

    private final SpawnChain chain;
    private final ProcessHandle started;
    private final Descent descent;
    private final Members members;
    private final Trace trace;
    private final boolean adopting;
    private final Reserve reserve;
    private boolean released;

    /// On the launch thread, which is as old as the instance or a little older: who started before is no member.
    ///
    /// @param trace removed when nothing is left
    /// @param reserve given back when this is released
    ProcessTree(Descent descent, Trace trace, Reserve reserve) throws Unreadable {
        this.chain = descent.chain();
        this.started = descent.started();
        this.descent = descent;
        this.trace = trace;
        this.reserve = reserve;
        this.adopting = chain.adopting();
        Procfs.Stat stat = Procfs.stat(started.pid());
        long bornAt = stat == null ? 0 : stat.started();
        long notBefore = Procfs.threadStarted();
        var root = new Root(started.pid(), bornAt, chain.kind() != Kind.NONE, true);
        this.members = new Members(root, notBefore, trace.marker());
        if (adopting) {
            Orphans.OF_THIS_PROCESS.enter(notBefore);
        }
    }

    /// The process we asked for, as this machine sees it.
    ProcessHandle own() {
        return descent.own();
    }

    /// Remembers who belongs to the instance now: after its parent's death nobody could tell.
    synchronized void look() {
        if (descent.namespace().isEmpty() && Procfs.available()) {
            try {
                var _ = members.living(this::claimable);
            } catch (Unreadable nobody) {
                // As good as not having looked.
            }
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
        return chain.kind() == Kind.UNSHARE
                && process.equals(descent.own())
                && Procfs.defaultsSignal(process.pid(), SIGTERM);
    }

    /// Kills until nothing is left or the deadline has passed.
    ///
    /// @return the pids that are left; of an instance that nobody can look for, the one that was started
    synchronized List<Long> kill(Deadline deadline) {
        while (true) {
            try {
                return Members.kill(this::living, deadline);
            } catch (Unreadable blind) {
                if (descent.running()) {
                    DirectSignals.kill(started.pid());
                }
                // One descriptor is enough to look with.
                reserve.close();
                if (deadline.expired()) {
                    return List.of(started.pid());
                }
                Threads.pause(BLIND);
            }
        }
    }

    /// The process that was started has ended: its number may soon be somebody else's.
    void leaderEnded() {
        trace.leaderEnded();
    }

    /// Lets go of the adopted processes that have ended; for whoever watches the instance.
    void reap() {
        if (adopting) {
            Orphans.OF_THIS_PROCESS.reap();
        }
    }

    /// Nobody will end this instance's processes any more.
    ///
    /// @param left what could not be ended: then the ledger keeps its entry, for the next host to see
    void release(List<Long> left) {
        synchronized (this) {
            if (released) {
                return;
            }
            released = true;
        }
        reserve.close();
        if (adopting) {
            Orphans.OF_THIS_PROCESS.reap();
            Orphans.OF_THIS_PROCESS.leave();
        }
        trace.leaderEnded();
        if (left.isEmpty()) {
            trace.remove();
        }
    }

    private List<ProcessHandle> living() throws Unreadable {
        List<ProcessHandle> namespace = descent.namespace();
        if (namespace.isEmpty() && Procfs.available()) {
            return members.living(this::claimable);
        }
        List<ProcessHandle> left = new ArrayList<>();
        if (alive(started)) {
            left.add(started);
        }
        for (ProcessHandle process : namespace) {
            if (alive(process)) {
                left.add(process);
            }
        }
        if (!Procfs.available()) {
            started.descendants().forEach(left::add);
        }
        return left;
    }

    private Predicate<Procfs.Stat> claimable() {
        return adopting ? Orphans.OF_THIS_PROCESS.claimable() : stat -> false;
    }

    /// By its own word first: the JDK takes for dead whom it has no descriptor to look at.
    private static boolean alive(ProcessHandle process) throws Unreadable {
        if (!Procfs.available()) {
            return process.isAlive();
        }
        Procfs.Stat stat = Procfs.sure(process.pid());
        return stat != null && !stat.dead() && process.isAlive();
    }
}
