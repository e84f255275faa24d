package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keywords that look into arrays (JSON Schema validation, section 6.4, and core, sections 10.3.1 and
/// 11.2).
final class ArrayChecks {
    private ArrayChecks() {}

    /// `minItems` and `maxItems`.
    record Count(long least, long most) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isArray()) {
                return true;
            }
            if (value.size() < least) {
                return run.fail(at, "must have at least ", least, " items, not ", value.size());
            }
            return value.size() <= most || run.fail(at, "must have at most ", most, " items, not ", value.size());
        }
    }

    /// `prefixItems` and `items`; in draft-07 the two forms of `items`, and `additionalItems`.
    ///
    /// @param rest null where every further item is welcome and unseen
    record Items(List<CompiledSchema> prefix, @Nullable CompiledSchema rest) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isArray()) {
                return true;
            }
            boolean fits = true;
            int count = rest == null ? Math.min(prefix.size(), value.size()) : value.size();
            for (int i = 0; i < count; i++) {
                CompiledSchema schema = i < prefix.size() ? prefix.get(i) : rest;
                if (schema != null && !schema.test(run, value.get(i), at.child(i), null)) {
                    fits = false;
                    if (run.quiet()) {
                        return false;
                    }
                }
            }
            if (seen != null) {
                seen.items(count);
            }
            return fits;
        }
    }

    record Contains(CompiledSchema schema, long least, long most) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isArray()) {
                return true;
            }
            int count = 0;
            for (int i = 0; i < value.size(); i++) {
                if (run.quietly(schema, value.get(i), at, null)) {
                    count++;
                    if (seen != null) {
                        seen.item(i);
                    }
                }
            }
            if (count < least) {
                return run.fail(at, "must have at least ", least, " items that fit \"contains\", not ", count);
            }
            return count <= most
                    || run.fail(at, "must have at most ", most, " items that fit \"contains\", not ", count);
        }
    }

    /// `uniqueItems`. Equal values have equal canonical texts, so that one pass finds a pair.
    record Unique() implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isArray()) {
                return true;
            }
            var texts = new HashMap<String, Integer>();
            for (int i = 0; i < value.size(); i++) {
                String text = CanonicalJson.text(value.get(i));
                run.spend(8 + (text.length() >> 1));
                Integer first = texts.putIfAbsent(text, i);
                if (first != null) {
                    return run.fail(at, "must have no equal items; those at ", first, " and ", i, " are");
                }
            }
            return true;
        }
    }

    /// Comes after every other check of its schema.
    record Unevaluated(CompiledSchema schema) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isArray() || seen == null) {
                return true;
            }
            boolean fits = true;
            for (int i = 0; i < value.size(); i++) {
                run.spend(1);
                if (!seen.hasItem(i)) {
                    fits &= schema.test(run, value.get(i), at.child(i), null);
                    seen.item(i);
                    if (!fits && run.quiet()) {
                        return false;
                    }
                }
            }
            return fits;
        }
    }
}
