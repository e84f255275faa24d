package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keywords that apply further schemas to the same value (JSON Schema core, section 10.2).
final class Combinators {
    private Combinators() {}

    /// `allOf`, and a `$ref` that has company.
    record AllOf(List<CompiledSchema> schemas) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            boolean fits = true;
            for (CompiledSchema schema : schemas) {
                if (!schema.test(run, value, at, seen)) {
                    fits = false;
                    if (run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }

    record AnyOf(List<CompiledSchema> schemas) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            boolean fits = false;
            for (CompiledSchema schema : schemas) {
                if (run.quietly(schema, value, at, seen)) {
                    fits = true;
                    if (seen == null) {
                        return true;
                    }
                }
            }
            return fits || noneFits(run, schemas, value, at);
        }
    }

    record OneOf(List<CompiledSchema> schemas) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            int count = 0;
            for (CompiledSchema schema : schemas) {
                if (run.quietly(schema, value, at, seen) && ++count == 2) {
                    return run.fail(
                            at, "fits more than one of ", schemas.size(), " alternatives; exactly one is wanted");
                }
            }
            return count == 1 || noneFits(run, schemas, value, at);
        }
    }

    /// When only one alternative could have been meant (the other is, say, `null`), its violations are what
    /// helps.
    private static boolean noneFits(Evaluation run, List<CompiledSchema> schemas, JsonNode value, At at) {
        if (run.quiet()) {
            return false;
        }
        Kind kind = Kind.of(value);
        List<CompiledSchema> meant = new ArrayList<>();
        for (CompiledSchema schema : schemas) {
            if (schema.mayBe(kind)) {
                meant.add(schema);
            }
        }
        if (meant.size() == 1) {
            return meant.getFirst().test(run, value, at, null);
        }
        return run.fail(at, "fits none of ", schemas.size(), " alternatives");
    }

    record Not(CompiledSchema schema) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            return !run.quietly(schema, value, at, null) || run.fail(at, "is of a form that \"not\" rules out");
        }
    }

    /// `if` with its `then` and `else`, where a missing one is `true`.
    record If(CompiledSchema condition, CompiledSchema then, CompiledSchema otherwise) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            CompiledSchema next = run.quietly(condition, value, at, seen) ? then : otherwise;
            return next.test(run, value, at, seen);
        }
    }
}
