package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Ids;
import dev.postern.call.CallService;
import dev.postern.config.RunLimits;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What does not change while one run goes on.
///
/// @param sessionId null for a run outside of any
record RunSetting(String runId, @Nullable String sessionId, RunOrder order, Bounds bounds, Tools tools, Voice voice) {
    /// What ends it before it has come to its end.
    ///
    /// @param ending the host takes no more calls: those in flight come to their end, and the run with them (WRK-4)
    record Bounds(RunLimits limits, BooleanSupplier ending) {}

    /// How it speaks.
    ///
    /// @param redactor asked each time: a server that starts later brings its own secrets
    /// @param events told one at a time
    record Voice(Supplier<Redactor> redactor, Consumer<RunEvent> events) {}

    /// The tools, where they come from, and the way to call them.
    record Tools(Snapshot snapshot, ToolSupply supply, CallService calls, Ids ids) {}

    Snapshot snapshot() {
        return tools.snapshot;
    }

    ToolSupply supply() {
        return tools.supply;
    }

    CallService calls() {
        return tools.calls;
    }

    RunLimits limits() {
        return bounds.limits;
    }

    boolean ending() {
        return bounds.ending.getAsBoolean();
    }

    Ids ids() {
        return tools.ids;
    }

    Redactor redactor() {
        return voice.redactor.get();
    }

    /// Safe for use by the threads of several calls.
    void tell(RunEvent event) {
        synchronized (voice) {
            voice.events.accept(event);
        }
    }

    JsonNode redacted(JsonNode tree) {
        return new JsonRedactor(redactor()).redact(tree).node();
    }

    String redacted(String text) {
        return redactor().redact(text).text();
    }
}
