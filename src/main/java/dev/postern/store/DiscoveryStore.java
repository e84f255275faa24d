package dev.postern.store;

import org.jspecify.annotations.Nullable;

/// Remembers each server's last discovery. Losing one costs a probe, so neither method fails: what can't be
/// read counts as absent, what can't be written is not kept. Safe for use by many threads and processes.
public interface DiscoveryStore {
    /// The last discovery of `server`, or null when there is none that belongs to `entryDigest`.
    @Nullable
    DiscoveryRecord recall(String server, String entryDigest);

    void remember(String server, DiscoveryRecord discovery);
}
