package dev.postern.run;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.catalog.Tool;
import dev.postern.policy.Mode;
import dev.postern.server.ToolSource;
import dev.postern.server.ToolSources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Every source that one run may use: the servers that allow something, the built-in tools, and what the run
/// has for itself. Closing it closes the run's own. Confined to the run's thread, but for [#find].
final class ToolSupply implements ToolSources, AutoCloseable {
    private final Map<String, ToolSource> sources = new LinkedHashMap<>();
    private final List<OwnTools.Opened> own = new ArrayList<>();

    /// @param shared those that outlive the run
    /// @param ownTools left out of a scheduled run
    ToolSupply(String runId, Mode mode, List<? extends ToolSource> shared, List<OwnTools> ownTools) {
        for (var source : shared) {
            if (source.rule().enabled() && !source.rule().tools().isEmpty()) {
                sources.put(source.id(), source);
            }
        }
        if (mode != Mode.SCHEDULED) {
            for (var tools : ownTools) {
                var opened = tools.forRun(runId);
                own.add(opened);
                sources.put(opened.id(), opened);
            }
        }
    }

    /// A source that can be used, and its tools.
    record Ready(ToolSource source, List<Tool> tools) {}

    /// Learns what every source offers, side by side; servers are started for that (PRC-2).
    ///
    /// @param troubles gets what stands in the way of a source; the others go on
    List<Ready> learn(Cancellation cancellation, List<Problem> troubles) {
        var found = new LinkedHashMap<String, @Nullable Answer<List<Tool>>>();
        sources.keySet().forEach(id -> found.put(id, null));
        var asking = new ArrayList<Thread>();
        for (var source : sources.values()) {
            asking.add(Threads.virtual("learn-" + source.id(), () -> {
                var tools = source.tools(cancellation);
                synchronized (found) {
                    found.put(source.id(), tools);
                }
            }));
        }
        asking.forEach(Threads::join);
        var ready = new ArrayList<Ready>();
        synchronized (found) {
            found.forEach((id, tools) -> {
                var source = Objects.requireNonNull(sources.get(id));
                switch (tools == null ? failed(id) : tools) {
                    case Answer.Here<List<Tool>> here -> ready.add(new Ready(source, here.value()));
                    case Answer.Not<List<Tool>> not -> troubles.add(not.problem());
                }
            });
        }
        return ready;
    }

    private static Answer<List<Tool>> failed(String id) {
        return new Answer.Not<>(new Problem(
                ErrorCode.INTERNAL,
                "What the server \"" + id + "\" offers could not be learnt.",
                "This is a fault of Postern; please report it."));
    }

    @Override
    public Answer<? extends ToolSource> find(String id) {
        var found = sources.get(id);
        return found == null
                ? new Answer.Not<ToolSource>(new Problem(
                        ErrorCode.TOOL_MISSING,
                        "This run has no server \"" + id + "\". Nothing was sent.",
                        "Only what the run was offered can be called."))
                : new Answer.Here<>(found);
    }

    @Override
    public void close() {
        own.forEach(OwnTools.Opened::close);
    }
}
