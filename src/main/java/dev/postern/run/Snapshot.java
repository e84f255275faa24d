package dev.postern.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.catalog.ModelDefinition;
import dev.postern.catalog.Tool;
import dev.postern.model.ToolDefinition;
import dev.postern.policy.Decision;
import dev.postern.policy.Mode;
import dev.postern.policy.Policy;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import dev.postern.server.ToolSource;
import dev.postern.wire.StrictJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tools that one run is offered, taken when it starts and never changed (CAT-4). Offered is what the
/// policy would let it call: allowed outright, or after asking. Immutable.
final class Snapshot {
    private final Map<String, Offered> byModelName;

    private Snapshot(Map<String, Offered> byModelName) {
        this.byModelName = byModelName;
    }

    /// A tool as this run knows it.
    ///
    /// @param wrapped the model writes the arguments as text into `input` (MOD-2)
    record Offered(String server, String tool, String digest, boolean wrapped, ToolDefinition definition) {}

    /// The sources that could be used, in the order of the configuration, and what the run goes on without.
    static Snapshot of(List<ToolSupply.Ready> ready, Mode mode, Redactor redactor, List<Problem> troubles) {
        var offered = new LinkedHashMap<String, Offered>();
        var shared = new ArrayList<String>();
        for (var supply : ready) {
            for (var tool : supply.tools()) {
                if (Policy.decide(supply.source().rule(), tool.name(), mode) instanceof Decision.Refuse) {
                    continue;
                }
                var one = offered(supply.source(), tool, redactor);
                if (offered.putIfAbsent(one.definition().name(), one) != null) {
                    shared.add(one.definition().name());
                }
            }
        }
        for (var name : shared) {
            if (offered.remove(name) != null) {
                troubles.add(sharedName(name));
            }
        }
        return new Snapshot(offered);
    }

    private static Offered offered(ToolSource source, Tool tool, Redactor redactor) {
        var model = source.define(tool);
        var definition = new ToolDefinition(
                model.name(),
                redactor.redact(model.description()).text(),
                new JsonRedactor(redactor).redact(model.parameters()).node());
        return new Offered(
                source.id(), tool.name(), tool.digest(), model.form() == ModelDefinition.Form.WRAPPED, definition);
    }

    private static Problem sharedName(String name) {
        return new Problem(
                ErrorCode.TOOL_EXCLUDED,
                "Two tools would share the name " + name + " before the model; neither is offered.",
                "Take one of them off its server's \"tools\".");
    }

    /// The tool that a model means, null when this run offers none of that name.
    @Nullable
    Offered find(String modelName) {
        return byModelName.get(modelName);
    }

    List<ToolDefinition> definitions() {
        return byModelName.values().stream().map(Offered::definition).toList();
    }

    /// What is recorded of it: every tool by its own name, its digest, and its definition as the model sees it.
    String json() {
        var all = JsonNodeFactory.instance.arrayNode();
        for (var tool : byModelName.values()) {
            var one = all.addObject()
                    .put("server", tool.server())
                    .put("tool", tool.tool())
                    .put("digest", tool.digest())
                    .put("name", tool.definition().name())
                    .put("description", tool.definition().description());
            one.set("parameters", tool.definition().parameters());
        }
        return StrictJson.text(all);
    }
}
