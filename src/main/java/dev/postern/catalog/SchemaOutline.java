package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.catalog.Keyword.Form;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a schema in its server's order, knowing at each place whether names are keywords, names of properties
/// or data, and keeps the first thing wrong. Finds every place where a schema is.
final class SchemaOutline {
    /// Together for all patterns of one schema, so that a catalog of patterns can't hold up a start.
    private static final long MAX_PROGRAMS = 4L * SafePattern.MAX_PROGRAM;

    private final Dialect dialect;
    private final Quoting quoting;
    private final Map<String, Position> positions = new LinkedHashMap<>();
    private int deepest;
    private long programs;
    private @Nullable Fault fault;

    private SchemaOutline(Dialect dialect, Quoting quoting) {
        this.dialect = dialect;
        this.quoting = quoting;
    }

    /// Reads all of `root`, or up to the first fault.
    ///
    /// @param root nests no deeper than [Measure#MAX_NESTING]
    static SchemaOutline of(JsonNode root, Dialect dialect, Quoting quoting) {
        var outline = new SchemaOutline(dialect, quoting);
        outline.schema(root, "", 1);
        return outline;
    }

    @Nullable
    Fault fault() {
        return fault;
    }

    /// By pointer, in the order of the text.
    Map<String, Position> positions() {
        return positions;
    }

    /// The number of levels of sub-schemas; a schema without any has one.
    int levels() {
        return deepest;
    }

    private void wrong(ExclusionCode code, String reason) {
        if (fault == null) {
            fault = new Fault(code, reason);
        }
    }

    private void malformed(String pointer, Keyword keyword, String wanted) {
        wrong(
                ExclusionCode.SCHEMA_MALFORMED,
                "has a value of " + keyword.text() + " at " + quoting.place(pointer) + " that is not " + wanted);
    }

    private Position schema(JsonNode node, String pointer, int level) {
        var position = new Position(pointer, node, level);
        positions.put(pointer, position);
        deepest = Math.max(deepest, level);
        if (node.isObject()) {
            for (var member : node.properties()) {
                if (fault != null) {
                    break;
                }
                Keyword keyword = Keyword.of(member.getKey());
                if (keyword == null) {
                    wrong(
                            ExclusionCode.SCHEMA_KEYWORD,
                            "has the unknown keyword \"" + quoting.line(member.getKey(), 64) + "\" at "
                                    + quoting.place(pointer));
                } else {
                    keyword(keyword, member.getValue(), position);
                }
            }
            if (dialect == Dialect.DRAFT_07 && node.has(Keyword.REF.text())) {
                // Draft-07 ignores what stands beside a reference.
                position.applied.clear();
            }
        } else if (!node.isBoolean()) {
            wrong(ExclusionCode.SCHEMA_MALFORMED, "has something at " + quoting.place(pointer) + " that is no schema");
        }
        return position;
    }

    private void keyword(Keyword keyword, JsonNode value, Position at) {
        String pointer = JsonPointers.child(at.pointer, keyword.text());
        switch (keyword.form()) {
            case ANNOTATION, DATA -> {}
            case DIALECT -> dialect(value, at);
            case IDENTIFIER -> identifier(keyword, value, at);
            case DYNAMIC ->
                wrong(
                        ExclusionCode.SCHEMA_IDENTIFIER,
                        "has " + keyword.text() + " at " + quoting.place(at.pointer)
                                + ", which can't be resolved safely");
            case REFERENCE -> reference(value, at);
            case SCHEMA -> at.applied.add(schema(value, pointer, at.level + 1));
            case ASIDE -> schema(value, pointer, at.level + 1);
            case SCHEMA_LIST -> list(keyword, value, at);
            case ITEMS -> {
                if (value.isArray() && dialect == Dialect.DRAFT_07) {
                    list(keyword, value, at);
                } else if (value.isArray()) {
                    malformed(at.pointer, keyword, "one schema (2020-12 has prefixItems for lists)");
                } else {
                    at.applied.add(schema(value, pointer, at.level + 1));
                }
            }
            case SCHEMA_MAP, PATTERN_MAP, DEFINITIONS, DEPENDENCIES -> map(keyword, value, at);
            case TYPE, LIST, COUNT, NUMBER, DIVISOR, FLAG, NAMES, NAMES_MAP -> value(keyword, value, at);
            case PATTERN -> {
                if (value.isTextual()) {
                    pattern(value.textValue(), at.pointer);
                } else {
                    malformed(at.pointer, keyword, "a text");
                }
            }
        }
    }

    private void dialect(JsonNode value, Position at) {
        if (Dialect.of(value) != dialect) {
            wrong(
                    ExclusionCode.SCHEMA_DIALECT,
                    "changes its dialect at " + quoting.place(at.pointer) + " to "
                            + quoting.line(CompactJson.text(value), 100));
        }
    }

    /// At the root an identifier names the whole, and can't redirect a reference, all of which are pointers.
    private void identifier(Keyword keyword, JsonNode value, Position at) {
        if (!at.pointer.isEmpty()) {
            wrong(
                    ExclusionCode.SCHEMA_IDENTIFIER,
                    "has " + keyword.text() + " at " + quoting.place(at.pointer) + ", below the root");
        } else if (!value.isTextual()) {
            malformed(at.pointer, keyword, "a text");
        }
    }

    private void reference(JsonNode value, Position at) {
        if (!value.isTextual()) {
            malformed(at.pointer, Keyword.REF, "a text");
            return;
        }
        String reference = value.textValue();
        if (!reference.isEmpty() && reference.charAt(0) != '#') {
            wrong(
                    ExclusionCode.SCHEMA_REF_REMOTE,
                    shown(reference, at) + ", which leaves the schema; only #/… is followed");
            return;
        }
        at.target = JsonPointers.ofFragment(reference.isEmpty() ? "" : reference.substring(1));
        if (at.target == null) {
            wrong(ExclusionCode.SCHEMA_REF_DANGLING, shown(reference, at) + ", which is no JSON pointer");
        }
    }

    private String shown(String reference, Position at) {
        return "has the reference \"" + quoting.reference(reference) + "\" at " + quoting.place(at.pointer);
    }

    private void list(Keyword keyword, JsonNode value, Position at) {
        // Draft-07 lets `items` be an empty list.
        if (!value.isArray() || (value.isEmpty() && keyword != Keyword.ITEMS)) {
            malformed(at.pointer, keyword, "a list of schemas with one at least");
            return;
        }
        String pointer = JsonPointers.child(at.pointer, keyword.text());
        for (int i = 0; i < value.size() && fault == null; i++) {
            at.applied.add(schema(value.get(i), JsonPointers.child(pointer, i), at.level + 1));
        }
    }

    private void map(Keyword keyword, JsonNode value, Position at) {
        if (!value.isObject()) {
            malformed(at.pointer, keyword, "an object");
            return;
        }
        String pointer = JsonPointers.child(at.pointer, keyword.text());
        for (var member : value.properties()) {
            if (fault != null) {
                return;
            }
            JsonNode child = member.getValue();
            if (keyword.form() == Form.DEPENDENCIES && child.isArray()) {
                if (!names(child)) {
                    malformed(at.pointer, keyword, "an object of schemas and lists of names");
                }
                continue;
            }
            if (keyword.form() == Form.PATTERN_MAP) {
                pattern(member.getKey(), at.pointer);
            }
            Position found = schema(child, JsonPointers.child(pointer, member.getKey()), at.level + 1);
            if (keyword.form() != Form.DEFINITIONS) {
                at.applied.add(found);
            }
        }
    }

    private void value(Keyword keyword, JsonNode value, Position at) {
        String wanted = switch (keyword.form()) {
            case TYPE -> Kind.maskOf(value) == 0 ? "one of the seven types or a list of them" : null;
            case LIST -> value.isArray() ? null : "a list";
            case COUNT -> count(value) ? null : "a whole number from zero";
            case NUMBER -> value.isNumber() ? null : "a number";
            case DIVISOR -> value.isNumber() && Numbers.exact(value).signum() > 0 ? null : "a number above zero";
            case FLAG -> value.isBoolean() ? null : "true or false";
            case NAMES -> names(value) ? null : "a list of names";
            case NAMES_MAP -> namesMap(value) ? null : "an object of lists of names";
            case DIALECT,
                    IDENTIFIER,
                    DYNAMIC,
                    REFERENCE,
                    SCHEMA,
                    ASIDE,
                    SCHEMA_LIST,
                    SCHEMA_MAP,
                    DEFINITIONS,
                    PATTERN_MAP,
                    ITEMS,
                    DEPENDENCIES,
                    DATA,
                    PATTERN,
                    ANNOTATION -> null;
        };
        if (wanted != null) {
            malformed(at.pointer, keyword, wanted);
        }
    }

    private static boolean count(JsonNode value) {
        return value.isNumber()
                && Numbers.integral(value)
                && Numbers.exact(value).signum() >= 0;
    }

    private static boolean names(JsonNode value) {
        if (!value.isArray()) {
            return false;
        }
        for (JsonNode name : value) {
            if (!name.isTextual()) {
                return false;
            }
        }
        return true;
    }

    private static boolean namesMap(JsonNode value) {
        if (!value.isObject()) {
            return false;
        }
        for (JsonNode list : value) {
            if (!names(list)) {
                return false;
            }
        }
        return true;
    }

    private void pattern(String text, String pointer) {
        switch (SafePattern.compile(text)) {
            case SafePattern.Compiled.Ready ready -> {
                programs += ready.pattern().size();
                if (programs > MAX_PROGRAMS) {
                    wrong(
                            ExclusionCode.SCHEMA_PATTERN,
                            "has patterns that compile to " + programs
                                    + " instructions together, over the fixed limit of " + MAX_PROGRAMS);
                }
            }
            case SafePattern.Compiled.Refused refused ->
                wrong(
                        ExclusionCode.SCHEMA_PATTERN,
                        "has the pattern \"" + quoting.line(text, 80) + "\" at " + quoting.place(pointer) + ": "
                                + quoting.line(refused.reason(), 120));
        }
    }
}
