package dev.postern.host;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import dev.postern.store.Owners;

/// Owners as the program knows them.
final class ProcessOwners implements Owners {
    @Override
    public String own() {
        return ProcessTable.own().text();
    }

    @Override
    public boolean gone(String owner) {
        var identity = ProcessIdentity.parse(owner);
        return identity != null && ProcessTable.life(identity) == ProcessTable.Life.DEAD;
    }
}
