package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keywords that look into objects (JSON Schema validation, section 6.5, and core, sections 10.3.2 and
/// 11.3). Names of properties are shown in messages, values never.
final class ObjectChecks {
    private ObjectChecks() {}

    record Required(List<String> names) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            run.spend(names.size());
            boolean fits = true;
            for (String name : names) {
                if (!value.has(name)) {
                    fits = run.fail(at, "lacks the required property ", Evaluation.name(name));
                    if (run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }

    /// `minProperties` and `maxProperties`.
    record Count(long least, long most) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            if (value.size() < least) {
                return run.fail(at, "must have at least ", least, " properties, not ", value.size());
            }
            return value.size() <= most || run.fail(at, "must have at most ", most, " properties, not ", value.size());
        }
    }

    /// `properties`, `patternProperties` and `additionalProperties`, which only mean something together.
    ///
    /// @param others null where every other property is welcome and unseen
    record Properties(
            Map<String, CompiledSchema> named,
            List<Patterned> patterns,
            @Nullable CompiledSchema others) implements Check {
        record Patterned(SafePattern pattern, CompiledSchema schema) {}

        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            boolean fits = true;
            for (var member : value.properties()) {
                run.spend(1);
                fits &= one(run, member.getKey(), member.getValue(), at, seen);
                if (!fits && run.quiet()) {
                    return false;
                }
            }
            return fits;
        }

        private boolean one(Evaluation run, String name, JsonNode value, At at, @Nullable Evaluated seen) {
            boolean fits = true;
            CompiledSchema own = named.get(name);
            boolean known = own != null;
            if (own != null) {
                fits = own.test(run, value, at.child(name), null);
            }
            for (Patterned patterned : patterns) {
                if (ValueChecks.search(run, patterned.pattern, name)) {
                    known = true;
                    fits &= patterned.schema.test(run, value, at.child(name), null);
                }
            }
            if (!known && others != null) {
                known = true;
                fits = others == CompiledSchema.NOTHING
                        ? run.fail(at.child(name), "is not a known property", suggestion(run))
                        : others.test(run, value, at.child(name), null);
            }
            if (known && seen != null) {
                seen.property(name);
            }
            return fits;
        }

        private String suggestion(Evaluation run) {
            if (run.quiet() || named.isEmpty() || !patterns.isEmpty()) {
                return "";
            }
            var out = new StringBuilder("; known are ");
            int count = 0;
            for (String name : named.keySet()) {
                if (count == 8) {
                    return out.append(", …").toString();
                }
                out.append(count++ == 0 ? "" : ", ").append(run.quoting().line(name, 32));
            }
            return out.toString();
        }
    }

    record PropertyNames(CompiledSchema schema) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            boolean fits = true;
            for (var member : value.properties()) {
                if (!run.quietly(schema, TextNode.valueOf(member.getKey()), at, null)) {
                    fits = run.fail(
                            at, "has the property name ", Evaluation.name(member.getKey()), ", which is not allowed");
                    if (run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }

    /// `dependentRequired`, and the lists of names in `dependencies`.
    record DependentRequired(Map<String, List<String>> needed) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            boolean fits = true;
            for (var entry : needed.entrySet()) {
                run.spend(1 + entry.getValue().size());
                if (value.has(entry.getKey())) {
                    fits &= all(run, value, at, entry.getKey(), entry.getValue());
                    if (!fits && run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }

        private static boolean all(Evaluation run, JsonNode value, At at, String with, List<String> names) {
            boolean fits = true;
            for (String name : names) {
                if (!value.has(name)) {
                    fits = run.fail(
                            at,
                            "lacks the property ",
                            Evaluation.name(name),
                            ", required with ",
                            Evaluation.name(with));
                }
            }
            return fits;
        }
    }

    /// `dependentSchemas`, and the schemas in `dependencies`.
    record DependentSchemas(Map<String, CompiledSchema> schemas) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject()) {
                return true;
            }
            boolean fits = true;
            for (var entry : schemas.entrySet()) {
                run.spend(1);
                if (value.has(entry.getKey())) {
                    fits &= entry.getValue().test(run, value, at, seen);
                    if (!fits && run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }

    /// Comes after every other check of its schema.
    record Unevaluated(CompiledSchema schema) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isObject() || seen == null) {
                return true;
            }
            boolean fits = true;
            for (var member : value.properties()) {
                run.spend(1);
                String name = member.getKey();
                if (!seen.hasProperty(name)) {
                    fits &= schema == CompiledSchema.NOTHING
                            ? run.fail(at.child(name), "is not a known property")
                            : schema.test(run, member.getValue(), at.child(name), null);
                    seen.property(name);
                    if (!fits && run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }
}
