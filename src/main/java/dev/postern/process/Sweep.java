package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.ProcessTable.Life;
import dev.postern.process.Members.Root;
import dev.postern.process.Procfs.Unreadable;
import dev.postern.process.RunLedger.Found;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Ends what hosts left behind that were killed (PRC-4). Touched are only entries of the ledger whose owner is
/// provably dead: not one that lives, nor one in a PID namespace into which nobody here can see. A pid under which
/// another process runs by now is not signalled.
public final class Sweep {
    /// For all entries together: whoever starts a server waits for it. What is not reached stays for the next.
    private static final Duration MOST = Duration.ofSeconds(2);

    /// Longer than a process takes from its birth to its own program, on a busy machine too.
    private static final Duration SPAWNING = Duration.ofMillis(50);

    /// For one: a process that the kernel holds on to keeps no other from being ended.
    private static final Duration EACH = Duration.ofMillis(500);

    private final RunLedger ledger;

    public Sweep(RunLedger ledger) {
        this.ledger = ledger;
    }

    /// What a dead owner's instance came to.
    ///
    /// @param processes ended, or found alive where nothing was to be ended
    /// @param left those of them that could not be ended
    /// @param blind nobody can tell who else is there: the system can't be asked just now
    public record Remains(String server, List<Long> processes, List<Long> left, boolean blind) {
        /// For people; empty when there was nobody.
        public String text() {
            if (blind) {
                return "Could not look for what a killed Postern left behind (server " + server
                        + "): no file can be opened. The next Postern looks again.";
            }
            if (processes.isEmpty()) {
                return "";
            }
            var whose = " that a killed Postern left behind (server " + server + ", pids " + pids(processes) + ")";
            var count = processes.size() == 1 ? "1 process" : processes.size() + " processes";
            return left.isEmpty()
                    ? "Ended " + count + whose + "."
                    : "Could not end all of " + count + whose + "; left: " + pids(left) + ".";
        }

        private static String pids(List<Long> pids) {
            return String.join(", ", pids.stream().map(String::valueOf).toList());
        }
    }

    /// What is found without touching anything; for `doctor`.
    ///
    /// @param unreadable files that are no entries, with the reason
    public record Survey(List<Remains> remains, List<Problem> unreadable) {}

    public Survey survey() {
        var reading = ledger.read();
        List<Remains> remains = new ArrayList<>();
        for (Found found : reading.entries()) {
            if (abandoned(found.text())) {
                remains.add(seen(found.text()));
            }
        }
        return new Survey(remains, reading.unreadable());
    }

    /// Ends it all, and removes the entries of which nothing is left.
    public List<Remains> sweep() {
        List<Remains> swept = new ArrayList<>();
        var deadline = Deadline.after(MOST, Timeout.CLOSE);
        var reading = ledger.read();
        reading.unfinished().forEach(RunLedger::remove);
        for (Found found : reading.entries()) {
            if (!deadline.expired() && abandoned(found.text())) {
                swept.add(end(found, deadline.earlier(Deadline.after(EACH, Timeout.CLOSE))));
            }
        }
        return swept;
    }

    private static Remains end(Found found, Deadline deadline) {
        Set<Long> ended = new TreeSet<>();
        var members = members(found.text());
        if (members != null && found.text().instance() == null) {
            // Its owner may have died this moment, and the process not have its marker yet.
            Threads.pause(SPAWNING);
        }
        List<Long> left;
        try {
            left = members == null
                    ? List.of()
                    : Members.kill(
                            () -> {
                                var living = members.living(() -> stat -> false);
                                living.forEach(process -> ended.add(process.pid()));
                                return living;
                            },
                            deadline);
        } catch (Unreadable blind) {
            return new Remains(found.text().server(), List.copyOf(ended), List.of(), true);
        }
        if (left.isEmpty()) {
            RunLedger.remove(found.file());
        }
        return new Remains(found.text().server(), List.copyOf(ended), left, false);
    }

    private static Remains seen(LedgerText entry) {
        var members = members(entry);
        try {
            List<ProcessHandle> living = members == null ? List.of() : members.living(() -> stat -> false);
            var alive = living.stream().map(ProcessHandle::pid).toList();
            return new Remains(entry.server(), alive, alive, false);
        } catch (Unreadable blind) {
            return new Remains(entry.server(), List.of(), List.of(), true);
        }
    }

    private static boolean abandoned(LedgerText entry) {
        return ProcessTable.life(entry.owner()) == Life.DEAD;
    }

    /// Null when nobody can be left: nothing outlives a boot. Where there is no `/proc`, nobody can be found.
    private static @Nullable Members members(LedgerText entry) {
        var own = ProcessTable.own();
        if (!entry.owner().boot().equals(own.boot()) || !Procfs.available()) {
            return null;
        }
        ProcessIdentity instance = entry.instance();
        Root root = null;
        if (instance != null
                && instance.boot().equals(own.boot())
                && instance.space().equals(own.space())) {
            root = new Root(instance.pid(), instance.started(), entry.session() == instance.pid(), false);
        }
        return new Members(root, entry.owner().started(), entry.marker());
    }
}
