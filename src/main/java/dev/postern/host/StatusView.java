package dev.postern.host;

import dev.postern.base.Problem;
import dev.postern.host.Host.Contained;
import dev.postern.host.Host.ServerStatus;
import dev.postern.process.Containment;
import dev.postern.server.Connected;
import dev.postern.server.ServerState;
import dev.postern.server.ServerSupervisor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a supervisor for `mcp servers` and `mcp status`. Starts nothing (CLI-1).
final class StatusView {
    private StatusView() {}

    static ServerStatus of(ServerSupervisor server) {
        var state = server.outlook();
        var known = known(server, state);
        var running = server.running();
        return new ServerStatus(
                server.id(),
                server.entry().enabled(),
                word(state),
                running == null ? null : running.pid(),
                known.protocol(),
                running == null ? null : contained(running.containment()),
                server.entry().tools(),
                server.entry().scheduledTools(),
                known.tools(),
                known.at(),
                diagnostics(server, state));
    }

    static Contained contained(Containment containment) {
        return new Contained(containment.kind().word(), containment.remedy());
    }

    /// What stands in a server's way, what of its configuration it does not honour, and which of its secrets can't
    /// be kept out of what it answers. Redacted: a catalog quotes its server.
    static List<Problem> diagnostics(ServerSupervisor server, ServerState state) {
        var problems = new ArrayList<Problem>();
        var redactor = server.redactor();
        for (var problem : found(state)) {
            problems.add(new Problem(
                    problem.code(),
                    redactor.redact(problem.message()).text(),
                    redactor.redact(problem.next()).text()));
        }
        problems.addAll(ShortSecrets.warnings(server));
        return List.copyOf(problems);
    }

    private static List<Problem> found(ServerState state) {
        return switch (state) {
            case ServerState.Failed failed -> List.of(failed.problem());
            case ServerState.Unavailable unavailable -> List.of(unavailable.problem());
            case ServerState.Ready ready -> ready.connected().catalog().diagnostics();
            case ServerState.Disabled d -> List.of();
            case ServerState.Idle i -> List.of();
            case ServerState.Starting s -> List.of();
            case ServerState.Stopped s -> List.of();
        };
    }

    private record Known(
            @Nullable List<String> tools,
            @Nullable Instant at,
            @Nullable String protocol) {}

    private static Known known(ServerSupervisor server, ServerState state) {
        if (state instanceof ServerState.Ready(Connected connected)) {
            return new Known(
                    connected.catalog().tools().stream()
                            .map(tool -> server.redactor().redact(tool.name()).text())
                            .toList(),
                    connected.discoveredAt(),
                    connected.protocol());
        }
        var last = server.lastDiscovery();
        return last == null ? new Known(null, null, null) : new Known(last.tools(), last.at(), last.protocol());
    }

    private static String word(ServerState state) {
        return switch (state) {
            case ServerState.Disabled d -> "disabled";
            case ServerState.Idle i -> "stopped";
            case ServerState.Starting s -> "starting";
            case ServerState.Ready r -> "ready";
            case ServerState.Unavailable u -> "unavailable";
            case ServerState.Failed f -> "failed";
            case ServerState.Stopped s -> "stopped";
        };
    }
}
