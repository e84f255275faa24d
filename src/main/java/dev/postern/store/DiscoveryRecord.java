package dev.postern.store;

import java.time.Instant;
import java.util.List;

/// What is remembered of a server's last discovery: enough to show it without starting the server (CLI-1) and
/// to try the right era first (WIR-1).
///
/// @param entryDigest of the entry in `config.json` that it belongs to; another entry's discovery counts for nothing
/// @param tools names of the tools that were offered
public record DiscoveryRecord(String entryDigest, String era, String protocol, Instant at, List<String> tools) {
    public DiscoveryRecord {
        tools = List.copyOf(tools);
    }
}
