package dev.postern.config;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeouts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One entry of `mcpServers` (SRV-1), checked. As wide as the entry it mirrors, key by key.
///
/// @param tools the exact names that may be offered; empty allows nothing
/// @param scheduledTools a subset of `tools`
/// @param parallel whether several calls may be in flight on this server at once
/// @param limits in force for this server: its own, else the global ones, else the standard
/// @param timeouts likewise
public record ServerEntry(
        String id,
        boolean enabled,
        List<String> tools,
        List<String> scheduledTools,
        Approval approval,
        boolean parallel,
        ProtocolPin protocol,
        Limits limits,
        Timeouts timeouts,
        Launch launch) {
    public ServerEntry {
        tools = List.copyOf(tools);
        scheduledTools = List.copyOf(scheduledTools);
    }

    /// Why this version can't use the server although its entry is in order, or null when it can.
    public @Nullable Problem unsupported() {
        if (launch instanceof Launch.Remote remote) {
            return new Problem(
                    ErrorCode.SERVER_UNSUPPORTED,
                    "Server " + id + " is remote (transport " + remote.type().key() + "), which is not supported yet.",
                    "Use a server that is started by a command, or set \"enabled\": false.");
        }
        return null;
    }

    /// A copy with other limits.
    ServerEntry withLimits(Limits other) {
        return new ServerEntry(
                id, enabled, tools, scheduledTools, approval, parallel, protocol, other, timeouts, launch);
    }

    /// SHA-256 in hex over everything the entry says: what was learnt about a server holds only as long as this
    /// stays the same (WIR-1, CLI-1).
    public String digest() {
        return EntryDigest.of(this);
    }
}
