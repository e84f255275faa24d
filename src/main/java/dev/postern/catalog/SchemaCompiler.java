package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns a schema that passed [SchemaLint] into checks. Each place is compiled once, however many references
/// lead to it. Throws [IllegalStateException] for what the lint would have refused.
final class SchemaCompiler {
    private final JsonNode root;
    private final Dialect dialect;

    /// By pointer; null while being compiled.
    private final Map<String, @Nullable CompiledSchema> compiled = new HashMap<>();

    private SchemaCompiler(JsonNode root, Dialect dialect) {
        this.root = root;
        this.dialect = dialect;
    }

    static CompiledSchema compile(JsonNode root) {
        Dialect dialect = Dialect.of(root.get(Keyword.SCHEMA.text()));
        if (dialect == null) {
            throw new IllegalStateException("the lint refuses other dialects");
        }
        return new SchemaCompiler(root, dialect).schema(root, "");
    }

    private CompiledSchema schema(JsonNode node, String pointer) {
        if (node.isBoolean()) {
            return node.booleanValue() ? CompiledSchema.ANYTHING : CompiledSchema.NOTHING;
        }
        if (compiled.containsKey(pointer)) {
            CompiledSchema done = compiled.get(pointer);
            if (done == null) {
                throw new IllegalStateException("the lint refuses cyclic references");
            }
            return done;
        }
        compiled.put(pointer, null);
        CompiledSchema result = object(new Reader(node, pointer));
        compiled.put(pointer, result);
        return result;
    }

    private CompiledSchema object(Reader in) {
        JsonNode reference = in.get(Keyword.REF);
        if (reference != null && dialect == Dialect.DRAFT_07) {
            return target(reference);
        }
        var checks = new ArrayList<Check>();
        values(in, checks);
        objects(in, checks);
        arrays(in, checks);
        combinators(in, checks);
        if (reference != null) {
            CompiledSchema target = target(reference);
            if (checks.isEmpty() && !in.hasAny(Keyword.UNEVALUATED_ITEMS, Keyword.UNEVALUATED_PROPERTIES)) {
                return target;
            }
            checks.add(new Combinators.AllOf(List.of(target)));
        }
        boolean asks = unevaluated(in, checks);
        return checks.isEmpty() ? CompiledSchema.ANYTHING : new CompiledSchema(checks, asks);
    }

    private CompiledSchema target(JsonNode reference) {
        String text = reference.textValue();
        String pointer = JsonPointers.ofFragment(text.isEmpty() ? "" : text.substring(1));
        if (pointer == null) {
            throw new IllegalStateException("the lint refuses references that are no pointers");
        }
        JsonNode node = root;
        int from = 1;
        while (from <= pointer.length()) {
            int slash = pointer.indexOf('/', from);
            int end = slash < 0 ? pointer.length() : slash;
            String token = JsonPointers.unescape(pointer.substring(from, end));
            node = node.isArray() ? node.path(Integer.parseInt(token)) : node.path(token);
            from = end + 1;
        }
        if (node.isMissingNode()) {
            throw new IllegalStateException("the lint refuses dangling references");
        }
        return schema(node, pointer);
    }

    private void values(Reader in, List<Check> checks) {
        JsonNode type = in.get(Keyword.TYPE);
        if (type != null) {
            checks.add(new ValueChecks.Type(Kind.maskOf(type)));
        }
        JsonNode members = in.get(Keyword.ENUM);
        if (members != null) {
            checks.add(choice(members, "one of "));
        }
        JsonNode constant = in.get(Keyword.CONST);
        if (constant != null) {
            checks.add(choice(List.of(constant), ""));
        }
        bound(in, Keyword.MAXIMUM, ValueChecks.Bound.Side.AT_MOST, checks);
        bound(in, Keyword.EXCLUSIVE_MAXIMUM, ValueChecks.Bound.Side.BELOW, checks);
        bound(in, Keyword.MINIMUM, ValueChecks.Bound.Side.AT_LEAST, checks);
        bound(in, Keyword.EXCLUSIVE_MINIMUM, ValueChecks.Bound.Side.ABOVE, checks);
        JsonNode divisor = in.get(Keyword.MULTIPLE_OF);
        if (divisor != null) {
            checks.add(new ValueChecks.MultipleOf(Numbers.exact(divisor)));
        }
        if (in.hasAny(Keyword.MIN_LENGTH, Keyword.MAX_LENGTH)) {
            checks.add(new ValueChecks.Length(
                    in.count(Keyword.MIN_LENGTH, 0), in.count(Keyword.MAX_LENGTH, Long.MAX_VALUE)));
        }
        JsonNode pattern = in.get(Keyword.PATTERN);
        if (pattern != null) {
            checks.add(new ValueChecks.Matches(pattern(pattern.textValue())));
        }
    }

    private static void bound(Reader in, Keyword keyword, ValueChecks.Bound.Side side, List<Check> checks) {
        JsonNode bound = in.get(keyword);
        if (bound != null) {
            checks.add(new ValueChecks.Bound(Numbers.exact(bound), side));
        }
    }

    private static Check choice(Iterable<JsonNode> members, String prefix) {
        Set<String> texts = new HashSet<>();
        List<JsonNode> others = new ArrayList<>();
        List<JsonNode> shown = new ArrayList<>();
        for (JsonNode member : members) {
            if (member.isTextual()) {
                texts.add(member.textValue());
            } else {
                others.add(member);
            }
            if (shown.size() <= ValueChecks.Choice.MOST_SHOWN) {
                shown.add(member);
            }
        }
        return new ValueChecks.Choice(texts, others, prefix, shown);
    }

    private static SafePattern pattern(String text) {
        return switch (SafePattern.compile(text)) {
            case SafePattern.Compiled.Ready ready -> ready.pattern();
            case SafePattern.Compiled.Refused refused ->
                throw new IllegalStateException("the lint refuses patterns that don't compile");
        };
    }

    private void objects(Reader in, List<Check> checks) {
        JsonNode required = in.get(Keyword.REQUIRED);
        if (required != null && !required.isEmpty()) {
            checks.add(new ObjectChecks.Required(names(required)));
        }
        if (in.hasAny(Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES)) {
            checks.add(new ObjectChecks.Count(
                    in.count(Keyword.MIN_PROPERTIES, 0), in.count(Keyword.MAX_PROPERTIES, Long.MAX_VALUE)));
        }
        if (in.hasAny(Keyword.PROPERTIES, Keyword.PATTERN_PROPERTIES, Keyword.ADDITIONAL_PROPERTIES)) {
            var patterns = new ArrayList<ObjectChecks.Properties.Patterned>();
            for (var entry : in.schemas(Keyword.PATTERN_PROPERTIES).entrySet()) {
                patterns.add(new ObjectChecks.Properties.Patterned(pattern(entry.getKey()), entry.getValue()));
            }
            checks.add(new ObjectChecks.Properties(
                    in.schemas(Keyword.PROPERTIES), patterns, in.schema(Keyword.ADDITIONAL_PROPERTIES)));
        }
        CompiledSchema propertyNames = in.schema(Keyword.PROPERTY_NAMES);
        if (propertyNames != null) {
            checks.add(new ObjectChecks.PropertyNames(propertyNames));
        }
        Keyword dependent = dialect == Dialect.DRAFT_07 ? Keyword.DEPENDENCIES : Keyword.DEPENDENT_REQUIRED;
        Map<String, List<String>> needed = in.lists(dependent);
        if (!needed.isEmpty()) {
            checks.add(new ObjectChecks.DependentRequired(needed));
        }
    }

    private static List<String> names(JsonNode list) {
        var names = new ArrayList<String>();
        for (JsonNode name : list) {
            names.add(name.textValue());
        }
        return names;
    }

    private void arrays(Reader in, List<Check> checks) {
        if (in.hasAny(Keyword.MIN_ITEMS, Keyword.MAX_ITEMS)) {
            checks.add(
                    new ArrayChecks.Count(in.count(Keyword.MIN_ITEMS, 0), in.count(Keyword.MAX_ITEMS, Long.MAX_VALUE)));
        }
        JsonNode items = in.get(Keyword.ITEMS);
        if (dialect == Dialect.DRAFT_2020_12) {
            if (in.hasAny(Keyword.PREFIX_ITEMS, Keyword.ITEMS)) {
                checks.add(new ArrayChecks.Items(in.list(Keyword.PREFIX_ITEMS), in.schema(Keyword.ITEMS)));
            }
        } else if (items != null) {
            checks.add(
                    items.isArray()
                            ? new ArrayChecks.Items(in.list(Keyword.ITEMS), in.schema(Keyword.ADDITIONAL_ITEMS))
                            : new ArrayChecks.Items(List.of(), in.schema(Keyword.ITEMS)));
        }
        JsonNode unique = in.get(Keyword.UNIQUE_ITEMS);
        if (unique != null && unique.booleanValue()) {
            checks.add(new ArrayChecks.Unique());
        }
        CompiledSchema contains = in.schema(Keyword.CONTAINS);
        if (contains != null) {
            boolean counted = dialect == Dialect.DRAFT_2020_12;
            checks.add(new ArrayChecks.Contains(
                    contains,
                    counted ? in.count(Keyword.MIN_CONTAINS, 1) : 1,
                    counted ? in.count(Keyword.MAX_CONTAINS, Long.MAX_VALUE) : Long.MAX_VALUE));
        }
    }

    private void combinators(Reader in, List<Check> checks) {
        if (in.hasAny(Keyword.ALL_OF)) {
            checks.add(new Combinators.AllOf(in.list(Keyword.ALL_OF)));
        }
        if (in.hasAny(Keyword.ANY_OF)) {
            checks.add(new Combinators.AnyOf(in.list(Keyword.ANY_OF)));
        }
        if (in.hasAny(Keyword.ONE_OF)) {
            checks.add(new Combinators.OneOf(in.list(Keyword.ONE_OF)));
        }
        CompiledSchema not = in.schema(Keyword.NOT);
        if (not != null) {
            checks.add(new Combinators.Not(not));
        }
        CompiledSchema condition = in.schema(Keyword.IF);
        if (condition != null) {
            CompiledSchema then = in.schema(Keyword.THEN);
            CompiledSchema otherwise = in.schema(Keyword.ELSE);
            checks.add(new Combinators.If(
                    condition,
                    then == null ? CompiledSchema.ANYTHING : then,
                    otherwise == null ? CompiledSchema.ANYTHING : otherwise));
        }
        Keyword dependent = dialect == Dialect.DRAFT_07 ? Keyword.DEPENDENCIES : Keyword.DEPENDENT_SCHEMAS;
        Map<String, CompiledSchema> schemas = in.schemas(dependent);
        if (!schemas.isEmpty()) {
            checks.add(new ObjectChecks.DependentSchemas(schemas));
        }
    }

    private boolean unevaluated(Reader in, List<Check> checks) {
        if (dialect == Dialect.DRAFT_07) {
            return false;
        }
        CompiledSchema items = in.schema(Keyword.UNEVALUATED_ITEMS);
        if (items != null) {
            checks.add(new ArrayChecks.Unevaluated(items));
        }
        CompiledSchema properties = in.schema(Keyword.UNEVALUATED_PROPERTIES);
        if (properties != null) {
            checks.add(new ObjectChecks.Unevaluated(properties));
        }
        return items != null || properties != null;
    }

    /// The keywords of one schema object, and what they hold, compiled.
    private final class Reader {
        private final JsonNode node;
        private final String pointer;

        Reader(JsonNode node, String pointer) {
            this.node = node;
            this.pointer = pointer;
        }

        @Nullable
        JsonNode get(Keyword keyword) {
            return node.get(keyword.text());
        }

        boolean hasAny(Keyword... keywords) {
            for (Keyword keyword : keywords) {
                if (node.has(keyword.text())) {
                    return true;
                }
            }
            return false;
        }

        long count(Keyword keyword, long otherwise) {
            JsonNode value = get(keyword);
            if (value == null) {
                return otherwise;
            }
            return Numbers.compare(value, BigDecimal.valueOf(Long.MAX_VALUE)) >= 0
                    ? Long.MAX_VALUE
                    : Numbers.exact(value).longValue();
        }

        @Nullable
        CompiledSchema schema(Keyword keyword) {
            JsonNode value = get(keyword);
            return value == null
                    ? null
                    : SchemaCompiler.this.schema(value, JsonPointers.child(pointer, keyword.text()));
        }

        List<CompiledSchema> list(Keyword keyword) {
            JsonNode value = get(keyword);
            if (value == null) {
                return List.of();
            }
            String place = JsonPointers.child(pointer, keyword.text());
            var schemas = new ArrayList<CompiledSchema>();
            for (int i = 0; i < value.size(); i++) {
                schemas.add(SchemaCompiler.this.schema(value.get(i), JsonPointers.child(place, i)));
            }
            return schemas;
        }

        /// The members that are schemas; in `dependencies` some may not be.
        Map<String, CompiledSchema> schemas(Keyword keyword) {
            JsonNode value = get(keyword);
            if (value == null) {
                return Map.of();
            }
            String place = JsonPointers.child(pointer, keyword.text());
            var schemas = new LinkedHashMap<String, CompiledSchema>();
            for (var member : value.properties()) {
                if (!member.getValue().isArray()) {
                    String child = JsonPointers.child(place, member.getKey());
                    schemas.put(member.getKey(), SchemaCompiler.this.schema(member.getValue(), child));
                }
            }
            return schemas;
        }

        Map<String, List<String>> lists(Keyword keyword) {
            JsonNode value = get(keyword);
            if (value == null) {
                return Map.of();
            }
            var lists = new LinkedHashMap<String, List<String>>();
            for (var member : value.properties()) {
                if (member.getValue().isArray()) {
                    lists.put(member.getKey(), names(member.getValue()));
                }
            }
            return lists;
        }
    }
}
