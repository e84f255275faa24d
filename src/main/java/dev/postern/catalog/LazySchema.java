package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A schema that passed [SchemaLint], compiled when it is first used: a server may list 128 tools of which one
/// is called. Safe for use by many threads; two that come first may both compile.
final class LazySchema implements ToolSchema {
    private final JsonNode schema;
    private final Quoting quoting;
    private volatile @Nullable CompiledSchema compiled;

    /// Compiles nothing yet.
    ///
    /// @param schema must not be changed afterwards
    LazySchema(JsonNode schema, Quoting quoting) {
        this.schema = schema;
        this.quoting = quoting;
    }

    @Override
    public List<Violation> validate(JsonNode instance) {
        try {
            Violation beyond = InstanceBounds.check(instance, quoting);
            return beyond != null ? List.of(beyond) : Evaluation.run(compiled(), instance, quoting);
        } catch (RuntimeException | StackOverflowError e) {
            // A fault of ours. It must not take a call's outcome with it, and nothing unchecked may pass.
            return List.of(new Violation(
                    "",
                    "could not be checked against the schema (" + e.getClass().getSimpleName() + ")"));
        }
    }

    private CompiledSchema compiled() {
        CompiledSchema ready = compiled;
        if (ready == null) {
            ready = SchemaCompiler.compile(schema);
            compiled = ready;
        }
        return ready;
    }

    @Override
    public String toString() {
        return "ToolSchema";
    }
}
