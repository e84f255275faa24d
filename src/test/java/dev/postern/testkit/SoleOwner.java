package dev.postern.testkit;

import dev.postern.store.Owners;

/// Whoever opens records in a test: one owner, and nobody has died.
public final class SoleOwner implements Owners {
    @Override
    public String own() {
        return "me";
    }

    @Override
    public boolean gone(String owner) {
        return false;
    }
}
