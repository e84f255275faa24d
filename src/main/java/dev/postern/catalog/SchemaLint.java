package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.wire.JsonSize;
import org.jspecify.annotations.Nullable;

/// Decides whether a schema is fit to check arguments or results with (CAT-3). What passes compiles, and
/// settles within [Evaluation]'s budget whatever it is given.
///
/// Order: root, JSON nesting and numbers, bytes, nodes, dialect, then the tree in the server's order, depth,
/// references. The first fault is the one reported.
final class SchemaLint {
    private final Limits limits;
    private final Quoting quoting;

    SchemaLint(Limits limits, Quoting quoting) {
        this.limits = limits;
        this.quoting = quoting;
    }

    /// What is wrong with an input schema, or null.
    @Nullable
    Fault input(@Nullable JsonNode schema) {
        if (schema == null || !schema.isObject()) {
            return new Fault(ExclusionCode.SCHEMA_ROOT, "is missing or no JSON object");
        }
        JsonNode type = schema.get(Keyword.TYPE.text());
        if (type == null || !type.isTextual() || !type.textValue().equals("object")) {
            String seen = type == null ? "none" : quoting.line(CompactJson.text(type), 60);
            return new Fault(
                    ExclusionCode.SCHEMA_ROOT, "must have \"type\": \"object\" at its root; its type is " + seen);
        }
        return any(schema);
    }

    /// What is wrong with an output schema, or null. Its root may have any type: 2026-07-28 lets results be any
    /// JSON value, and for older revisions whoever reads the result checks that it is an object.
    @Nullable
    Fault output(JsonNode schema) {
        return schema.isObject() ? any(schema) : new Fault(ExclusionCode.SCHEMA_ROOT, "is no JSON object");
    }

    private @Nullable Fault any(JsonNode schema) {
        Measure measure = Measure.of(schema);
        if (measure.fault() != null) {
            return new Fault(ExclusionCode.SCHEMA_MALFORMED, measure.fault());
        }
        Fault size = over(ExclusionCode.SCHEMA_BYTES, Limit.SCHEMA_BYTES, JsonSize.of(schema), "bytes");
        if (size == null) {
            size = over(ExclusionCode.SCHEMA_NODES, Limit.SCHEMA_NODES, measure.values(), "nodes (JSON values)");
        }
        if (size != null) {
            return size;
        }
        JsonNode declared = schema.get(Keyword.SCHEMA.text());
        Dialect dialect = Dialect.of(declared);
        if (dialect == null) {
            return new Fault(
                    ExclusionCode.SCHEMA_DIALECT,
                    "names the dialect " + quoting.line(CompactJson.text(schema.path(Keyword.SCHEMA.text())), 100)
                            + "; only draft-07 and 2020-12 are supported");
        }
        SchemaOutline outline = SchemaOutline.of(schema, dialect, quoting);
        if (outline.fault() != null) {
            return outline.fault();
        }
        Fault depth = over(ExclusionCode.SCHEMA_DEPTH, Limit.SCHEMA_DEPTH, outline.levels(), "levels of sub-schemas");
        Position root = outline.positions().get("");
        return depth != null || root == null ? depth : References.check(outline.positions(), root, quoting);
    }

    private @Nullable Fault over(ExclusionCode code, Limit limit, long seen, String unit) {
        int most = limits.get(limit);
        return seen <= most
                ? null
                : new Fault(
                        code, "has " + seen + " " + unit + ", over the limit of " + most + " (" + limit.key() + ")");
    }
}
