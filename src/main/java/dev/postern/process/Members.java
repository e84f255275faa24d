package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import dev.postern.process.Procfs.Unreadable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells which processes belong to one instance that is in no namespace: its first process, what descends from it,
/// what is in its session, what has its marker in the environment, what descends from any of these, and what did
/// any of that when we looked before. Used while the instance's host lives, and by the sweep after its death.
/// Needs `/proc`. Confined to one thread at a time.
final class Members {
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final @Nullable Root root;
    private final long notBefore;
    private final String variable;
    private final Map<Long, Long> known = new HashMap<>();

    /// The first process of an instance.
    ///
    /// @param started 0 when it had ended before anybody could look
    /// @param session it leads a session of its own
    /// @param watched we have known it from its birth on. Else its number may have gone to a stranger's session
    ///     after its end, and a session counts only while somebody in it is ours by other evidence: a number
    ///     that is a session's is not given away
    record Root(long pid, long started, boolean session, boolean watched) {}

    /// @param root null when nobody wrote down which it was
    /// @param notBefore no member can have started earlier, in clock ticks since boot
    /// @param marker the value of [LaunchSpec#MARKER]
    Members(@Nullable Root root, long notBefore, String marker) {
        this.root = root;
        this.notBefore = notBefore;
        this.variable = LaunchSpec.MARKER + "=" + marker;
    }

    /// Looks who lives now.
    interface Living {
        List<ProcessHandle> now() throws Unreadable;
    }

    /// Those that live now, this very process left out. A process that is another one by the time it is signalled
    /// is not signalled: the JDK compares start times.
    ///
    /// @param orphans asked for the predicate that tells whom else to count, once the processes are listed
    List<ProcessHandle> living(Supplier<Predicate<Procfs.Stat>> orphans) throws Unreadable {
        List<Procfs.Stat> all = Procfs.all();
        Predicate<Procfs.Stat> orphan = orphans.get();
        Set<Long> ours = new HashSet<>();
        for (Procfs.Stat stat : all) {
            if (orphan.test(stat) || (stat.started() >= notBefore && evident(stat))) {
                ours.add(stat.pid());
            }
        }
        addSession(all, ours);
        ours.remove(ProcessHandle.current().pid());
        addDescendants(all, ours);
        return handles(all, ours);
    }

    /// Kills until nobody lives or the deadline has passed; reads again after every round, since what dies may have
    /// had children meanwhile.
    ///
    /// @return the pids that are left
    /// @throws Unreadable when nobody can tell who is left
    static List<Long> kill(Living living, Deadline deadline) throws Unreadable {
        while (true) {
            List<ProcessHandle> left = living.now();
            if (left.isEmpty()) {
                return List.of();
            }
            left.forEach(ProcessHandle::destroyForcibly);
            boolean last = deadline.expired();
            Threads.pause(PAUSE);
            if (last) {
                return living.now().stream().map(ProcessHandle::pid).toList();
            }
        }
    }

    private boolean evident(Procfs.Stat stat) throws Unreadable {
        Long before = known.get(stat.pid());
        return isRoot(stat)
                || (before != null && before == stat.started())
                || (!stat.dead() && Procfs.environmentHolds(stat.pid(), variable));
    }

    private boolean isRoot(Procfs.Stat stat) {
        return root != null && stat.pid() == root.pid && stat.started() == root.started;
    }

    private void addSession(List<Procfs.Stat> all, Set<Long> ours) {
        if (root == null || !root.session) {
            return;
        }
        // Once the pid has gone to somebody else, the session says nothing about us.
        boolean reused = all.stream().anyMatch(stat -> stat.pid() == root.pid && stat.started() != root.started);
        List<Procfs.Stat> session =
                all.stream().filter(stat -> stat.session() == root.pid).toList();
        boolean proved = root.watched || session.stream().anyMatch(stat -> ours.contains(stat.pid()));
        if (!reused && proved) {
            for (Procfs.Stat stat : session) {
                if (stat.started() >= notBefore) {
                    ours.add(stat.pid());
                }
            }
        }
    }

    private static void addDescendants(List<Procfs.Stat> all, Set<Long> ours) {
        long self = ProcessHandle.current().pid();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Procfs.Stat stat : all) {
                grew |= stat.pid() != self && ours.contains(stat.parent()) && ours.add(stat.pid());
            }
        }
    }

    private List<ProcessHandle> handles(List<Procfs.Stat> all, Set<Long> ours) throws Unreadable {
        List<ProcessHandle> found = new ArrayList<>();
        for (Procfs.Stat stat : all) {
            if (stat.dead() || !ours.contains(stat.pid())) {
                continue;
            }
            known.put(stat.pid(), stat.started());
            // The JDK finds nobody when it has no descriptor to look with.
            ProcessHandle handle = ProcessHandle.of(stat.pid()).orElse(null);
            Procfs.Stat now = Procfs.sure(stat.pid());
            if (now != null && !now.dead() && now.started() == stat.started()) {
                if (handle == null) {
                    throw new Unreadable(null);
                }
                found.add(handle);
            }
        }
        return found;
    }
}
