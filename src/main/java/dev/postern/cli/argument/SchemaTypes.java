package dev.postern.cli.argument;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a tool's input schema says about the types of its arguments. Says more than it can know never, less
/// sometimes: `not`, conditions and patterns are not looked at. Whether a value conforms is decided
/// elsewhere, by the whole schema.
///
/// Null stands for “says nothing”, an empty set for “forbids it”.
final class SchemaTypes {
    /// Deeper than any schema that the lint of CAT-3 lets through; stops cycles.
    private static final int DEEPEST = 40;

    private final JsonNode root;

    SchemaTypes(JsonNode root) {
        this.root = root;
    }

    /// The names that the schema declares, in its order.
    Set<String> names() {
        var names = new LinkedHashSet<String>();
        names(root, names, 0);
        return names;
    }

    /// The types that the argument `name` may have.
    @Nullable
    Set<JsonType> typesOf(String name) {
        return ofProperty(root, name, 0);
    }

    /// The values that an `enum` or `const` fixes for the argument `name`, or null when none does.
    @Nullable
    List<JsonNode> valuesOf(String name) {
        var schemas = new ArrayList<JsonNode>();
        declarations(root, name, schemas, 0);
        for (var schema : schemas) {
            var values = values(schema, 0);
            if (values != null) {
                return values;
            }
        }
        return null;
    }

    private void names(JsonNode schema, Set<String> names, int depth) {
        if (depth > DEEPEST) {
            return;
        }
        for (var property : schema.path("properties").properties()) {
            names.add(property.getKey());
        }
        for (var part : parts(schema)) {
            names(part, names, depth + 1);
        }
    }

    private void declarations(JsonNode schema, String name, List<JsonNode> to, int depth) {
        if (depth > DEEPEST) {
            return;
        }
        var own = schema.path("properties").get(name);
        if (own != null) {
            to.add(own);
        }
        for (var part : parts(schema)) {
            declarations(part, name, to, depth + 1);
        }
    }

    private List<JsonNode> parts(JsonNode schema) {
        var parts = new ArrayList<JsonNode>();
        var target = target(schema);
        if (target != null) {
            parts.add(target);
        }
        for (var keyword : List.of("allOf", "anyOf", "oneOf")) {
            schema.path(keyword).forEach(parts::add);
        }
        return parts;
    }

    private @Nullable Set<JsonType> ofProperty(JsonNode schema, String name, int depth) {
        if (depth > DEEPEST || !schema.isObject()) {
            return null;
        }
        Set<JsonType> types = ownProperty(schema, name);
        var target = target(schema);
        if (target != null) {
            types = both(types, ofProperty(target, name, depth + 1));
        }
        for (var part : schema.path("allOf")) {
            types = both(types, ofProperty(part, name, depth + 1));
        }
        for (var keyword : List.of("anyOf", "oneOf")) {
            Set<JsonType> some = null;
            for (var part : schema.path(keyword)) {
                some = either(some, ofProperty(part, name, depth + 1));
            }
            types = both(types, some);
        }
        return types;
    }

    private @Nullable Set<JsonType> ownProperty(JsonNode schema, String name) {
        var property = schema.path("properties").get(name);
        if (property != null) {
            return types(property, 0);
        }
        if (!schema.path("patternProperties").isEmpty()) {
            return null;
        }
        var additional = schema.get("additionalProperties");
        return additional == null ? null : types(additional, 0);
    }

    private @Nullable Set<JsonType> types(JsonNode schema, int depth) {
        if (schema.isBoolean()) {
            return schema.booleanValue() ? null : EnumSet.noneOf(JsonType.class);
        }
        if (depth > DEEPEST || !schema.isObject()) {
            return null;
        }
        Set<JsonType> types = declared(schema.get("type"));
        var fixed = fixed(schema);
        if (fixed != null) {
            var ofValues = EnumSet.noneOf(JsonType.class);
            fixed.forEach(value -> ofValues.add(JsonType.of(value)));
            types = both(types, ofValues);
        }
        var target = target(schema);
        if (target != null) {
            types = both(types, types(target, depth + 1));
        }
        for (var part : schema.path("allOf")) {
            types = both(types, types(part, depth + 1));
        }
        for (var keyword : List.of("anyOf", "oneOf")) {
            if (schema.has(keyword)) {
                types = both(types, anyOf(schema.get(keyword), depth));
            }
        }
        return types;
    }

    private @Nullable Set<JsonType> anyOf(JsonNode branches, int depth) {
        var types = EnumSet.noneOf(JsonType.class);
        for (var branch : branches) {
            var some = types(branch, depth + 1);
            if (some == null) {
                return null;
            }
            types.addAll(some);
        }
        return types;
    }

    private static @Nullable Set<JsonType> declared(@Nullable JsonNode type) {
        if (type == null) {
            return null;
        }
        if (type.isTextual()) {
            return JsonType.named(type.textValue());
        }
        var types = EnumSet.noneOf(JsonType.class);
        for (var name : type) {
            var some = JsonType.named(name.asText());
            if (some == null) {
                return null;
            }
            types.addAll(some);
        }
        return types;
    }

    private @Nullable List<JsonNode> values(JsonNode schema, int depth) {
        var own = fixed(schema);
        var target = target(schema);
        return own != null || target == null || depth > DEEPEST ? own : values(target, depth + 1);
    }

    private static @Nullable List<JsonNode> fixed(JsonNode schema) {
        if (schema.has("const")) {
            return List.of(schema.get("const"));
        }
        if (!schema.path("enum").isArray()) {
            return null;
        }
        var values = new ArrayList<JsonNode>();
        schema.get("enum").forEach(values::add);
        return values;
    }

    private @Nullable JsonNode target(JsonNode schema) {
        var reference = schema.path("$ref").textValue();
        if (reference == null || !reference.startsWith("#")) {
            return null;
        }
        try {
            var pointer = URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
            var target = root.at(pointer);
            return target.isMissingNode() ? null : target;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable Set<JsonType> both(@Nullable Set<JsonType> one, @Nullable Set<JsonType> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        var both = EnumSet.copyOf(one);
        both.retainAll(other);
        return both;
    }

    private static @Nullable Set<JsonType> either(@Nullable Set<JsonType> one, @Nullable Set<JsonType> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        var either = EnumSet.copyOf(one);
        either.addAll(other);
        return either;
    }
}
