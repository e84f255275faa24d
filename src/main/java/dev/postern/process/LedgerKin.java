package dev.postern.process;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import java.util.List;
import java.util.function.Predicate;

/// Tells whose ancestors are processes of the run ledger, whatever they did to their environment (SEC-7): an
/// instance's first process, its session, or the host below which it was adopted. Safe for use by many threads.
public final class LedgerKin implements Predicate<List<Long>> {
    private final RunLedger ledger;

    public LedgerKin(RunLedger ledger) {
        this.ledger = ledger;
    }

    /// @param line a process, its parent, and so on
    @Override
    public boolean test(List<Long> line) {
        try {
            for (var found : ledger.read().entries()) {
                if (kin(found.text(), line)) {
                    return true;
                }
            }
            return false;
        } catch (Procfs.Unreadable untold) {
            return true;
        }
    }

    private static boolean kin(LedgerText entry, List<Long> line) throws Procfs.Unreadable {
        // The host itself may ask; what it started may not.
        if (line.indexOf(entry.owner().pid()) > 0 && lives(entry.owner())) {
            return true;
        }
        var instance = entry.instance();
        if (instance == null) {
            return false;
        }
        if (line.contains(instance.pid()) && lives(instance)) {
            return true;
        }
        var leader = Procfs.sure(instance.pid());
        boolean reused = leader != null && leader.started() != instance.started();
        if (entry.session() == 0
                || reused
                || !instance.space().equals(ProcessTable.own().space())) {
            return false;
        }
        for (long pid : line) {
            var stat = Procfs.sure(pid);
            if (stat != null && stat.session() == entry.session()) {
                return true;
            }
        }
        return false;
    }

    private static boolean lives(ProcessIdentity written) {
        return ProcessTable.life(written) == ProcessTable.Life.ALIVE;
    }
}
