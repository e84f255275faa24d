package dev.postern.run.builtin;

import dev.postern.base.Cancellation;
import dev.postern.base.Limits;
import dev.postern.base.Timeouts;
import dev.postern.catalog.CatalogBuilder;
import dev.postern.catalog.ModelDefinition;
import dev.postern.catalog.Tool;
import dev.postern.policy.ServerRule;
import dev.postern.secret.Redactor;
import dev.postern.server.CallGate;
import dev.postern.server.Connected;
import dev.postern.server.Readiness;
import dev.postern.server.ToolSource;
import dev.postern.store.LazyStore;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The server `builtin` (SRV-1). Always ready. What only reads needs no approval and is offered to schedules;
/// what changes something always asks.
public final class BuiltinSource implements ToolSource {
    /// No configured server can have it.
    public static final String ID = "builtin";

    private static final ServerRule RULE = new ServerRule(ID, true, names(false), names(true), false);

    private final Connected connected;
    private final Supplier<Redactor> redactor;
    private final CallGate gate = new CallGate(true);

    public BuiltinSource(LazyStore store, Supplier<Redactor> redactor, InstantSource time) {
        this.redactor = redactor;
        var builder = new CatalogBuilder(ID, Limits.standard(), false, text -> text);
        var definitions =
                Arrays.stream(BuiltinTool.values()).map(BuiltinTool::definition).toList();
        var session = new BuiltinSession(new Notes(store, redactor, time), time);
        this.connected = new Connected(session, builder.build(definitions, RULE.tools()), time.instant());
    }

    private static Set<String> names(boolean readOnly) {
        return Arrays.stream(BuiltinTool.values())
                .filter(tool -> tool.readsOnly() || !readOnly)
                .map(BuiltinTool::toolName)
                .collect(Collectors.toSet());
    }

    /// What there is, in the order in which it is offered.
    public static List<String> toolNames() {
        return Arrays.stream(BuiltinTool.values()).map(BuiltinTool::toolName).toList();
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public ServerRule rule() {
        return RULE;
    }

    @Override
    public Limits limits() {
        return Limits.standard();
    }

    @Override
    public Timeouts timeouts() {
        return Timeouts.standard();
    }

    @Override
    public CallGate gate() {
        return gate;
    }

    @Override
    public Redactor redactor() {
        return redactor.get();
    }

    @Override
    public Readiness ready(Cancellation cancellation) {
        return new Readiness.Ready(connected);
    }

    @Override
    public ModelDefinition define(Tool tool) {
        return ModelDefinition.plain(tool);
    }
}
