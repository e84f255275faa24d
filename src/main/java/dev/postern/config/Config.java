package dev.postern.config;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limits;
import dev.postern.base.Nearest;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import dev.postern.base.Timeouts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the owner configured, read once (CFG-5).
///
/// @param servers in the order of the file, disabled ones included
/// @param limits the global ones; each server's own are in its entry
/// @param retention how long the records of runs and calls are kept (STO-2)
/// @param directCalls whether the worker takes `call` too (WRK-2)
/// @param agent what a chat needs besides (MDL, RUN)
public record Config(
        List<ServerEntry> servers,
        Limits limits,
        Timeouts timeouts,
        Retention retention,
        boolean directCalls,
        AgentSettings agent) {
    /// No file, no servers: MCP is off (CFG-1).
    public static final Config EMPTY = new Config(List.of(), Limits.standard(), Timeouts.standard());

    public Config {
        servers = List.copyOf(servers);
    }

    /// As without the keys `storage`, `worker`, `model` and `run`.
    public Config(List<ServerEntry> servers, Limits limits, Timeouts timeouts) {
        this(servers, limits, timeouts, Retention.STANDARD, false, AgentSettings.STANDARD);
    }

    /// The same with other servers and limits.
    Config with(List<ServerEntry> others, Limits otherLimits) {
        return new Config(others, otherLimits, timeouts, retention, directCalls, agent);
    }

    /// The model that a chat asks; null where none is configured.
    public @Nullable ModelSettings model() {
        return agent.model();
    }

    /// What a run may take.
    public RunLimits run() {
        return agent.run();
    }

    public @Nullable ServerEntry server(String id) {
        for (var server : servers) {
            if (server.id().equals(id)) {
                return server;
            }
        }
        return null;
    }

    /// That no server `id` is configured, and which one is near.
    ///
    /// @param where what the servers were read from
    public Problem unknown(String id, String where) {
        var ids = new ArrayList<String>();
        servers.forEach(server -> ids.add(server.id()));
        var nearest = Nearest.of(id, ids);
        return new Problem(
                ErrorCode.USAGE_UNKNOWN_SERVER,
                "No server \"" + id + "\" is configured in " + where
                        + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?"),
                ids.isEmpty()
                        ? "No server is configured at all: add one to \"mcpServers\"."
                        : "See the configured ones with `postern mcp servers`.");
    }
}
