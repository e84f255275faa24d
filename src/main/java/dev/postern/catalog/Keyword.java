package dev.postern.catalog;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every keyword that a schema may use (CAT-3): those of draft-07 and of 2020-12, in either dialect, since
/// generators mix them (`$defs` under draft-07). A keyword asserts only in its own dialect; in the other one
/// it is an annotation, as the standard has it for keywords it does not know.
///
/// Also known is `x-mcp-header` of MCP 2026-07-28, which over stdio means nothing. Every other name, `x-` or
/// not, is unknown: the sender may mean something by it that we would not check.
enum Keyword {
    SCHEMA("$schema", Form.DIALECT),
    VOCABULARY("$vocabulary", Form.ANNOTATION),
    COMMENT("$comment", Form.ANNOTATION),
    ID("$id", Form.IDENTIFIER),
    ANCHOR("$anchor", Form.IDENTIFIER),
    DYNAMIC_ANCHOR("$dynamicAnchor", Form.IDENTIFIER),
    DYNAMIC_REF("$dynamicRef", Form.DYNAMIC),
    RECURSIVE_REF("$recursiveRef", Form.DYNAMIC),
    RECURSIVE_ANCHOR("$recursiveAnchor", Form.DYNAMIC),
    REF("$ref", Form.REFERENCE),
    DEFS("$defs", Form.DEFINITIONS),
    DEFINITIONS("definitions", Form.DEFINITIONS),

    TYPE("type", Form.TYPE),
    ENUM("enum", Form.LIST),
    CONST("const", Form.DATA),
    MULTIPLE_OF("multipleOf", Form.DIVISOR),
    MAXIMUM("maximum", Form.NUMBER),
    EXCLUSIVE_MAXIMUM("exclusiveMaximum", Form.NUMBER),
    MINIMUM("minimum", Form.NUMBER),
    EXCLUSIVE_MINIMUM("exclusiveMinimum", Form.NUMBER),
    MAX_LENGTH("maxLength", Form.COUNT),
    MIN_LENGTH("minLength", Form.COUNT),
    PATTERN("pattern", Form.PATTERN),
    MAX_ITEMS("maxItems", Form.COUNT),
    MIN_ITEMS("minItems", Form.COUNT),
    UNIQUE_ITEMS("uniqueItems", Form.FLAG),
    MAX_CONTAINS("maxContains", Form.COUNT),
    MIN_CONTAINS("minContains", Form.COUNT),
    MAX_PROPERTIES("maxProperties", Form.COUNT),
    MIN_PROPERTIES("minProperties", Form.COUNT),
    REQUIRED("required", Form.NAMES),
    DEPENDENT_REQUIRED("dependentRequired", Form.NAMES_MAP),

    ALL_OF("allOf", Form.SCHEMA_LIST),
    ANY_OF("anyOf", Form.SCHEMA_LIST),
    ONE_OF("oneOf", Form.SCHEMA_LIST),
    NOT("not", Form.SCHEMA),
    IF("if", Form.SCHEMA),
    THEN("then", Form.SCHEMA),
    ELSE("else", Form.SCHEMA),
    DEPENDENCIES("dependencies", Form.DEPENDENCIES),
    DEPENDENT_SCHEMAS("dependentSchemas", Form.SCHEMA_MAP),
    PREFIX_ITEMS("prefixItems", Form.SCHEMA_LIST),
    ITEMS("items", Form.ITEMS),
    ADDITIONAL_ITEMS("additionalItems", Form.SCHEMA),
    CONTAINS("contains", Form.SCHEMA),
    PROPERTIES("properties", Form.SCHEMA_MAP),
    PATTERN_PROPERTIES("patternProperties", Form.PATTERN_MAP),
    ADDITIONAL_PROPERTIES("additionalProperties", Form.SCHEMA),
    PROPERTY_NAMES("propertyNames", Form.SCHEMA),
    UNEVALUATED_ITEMS("unevaluatedItems", Form.SCHEMA),
    UNEVALUATED_PROPERTIES("unevaluatedProperties", Form.SCHEMA),

    TITLE("title", Form.ANNOTATION),
    DESCRIPTION("description", Form.ANNOTATION),
    DEFAULT("default", Form.ANNOTATION),
    DEPRECATED("deprecated", Form.ANNOTATION),
    READ_ONLY("readOnly", Form.ANNOTATION),
    WRITE_ONLY("writeOnly", Form.ANNOTATION),
    EXAMPLES("examples", Form.ANNOTATION),
    FORMAT("format", Form.ANNOTATION),
    CONTENT_ENCODING("contentEncoding", Form.ANNOTATION),
    CONTENT_MEDIA_TYPE("contentMediaType", Form.ANNOTATION),
    CONTENT_SCHEMA("contentSchema", Form.ASIDE),
    MCP_HEADER("x-mcp-header", Form.ANNOTATION);

    /// What a keyword's value must look like, and where in it further schemas are.
    enum Form {
        /// The address of a dialect.
        DIALECT,
        /// A name by which references could find this place. Harmless at the root; below it, it would give
        /// references a second meaning.
        IDENTIFIER,
        /// A reference whose target depends on the way to it: never accepted.
        DYNAMIC,
        REFERENCE,
        SCHEMA,
        /// A schema that is never evaluated.
        ASIDE,
        SCHEMA_LIST,
        SCHEMA_MAP,
        /// A map of schemas that are evaluated only where referenced.
        DEFINITIONS,
        PATTERN_MAP,
        /// A schema, or in draft-07 a list of them.
        ITEMS,
        /// A map of schemas or lists of names.
        DEPENDENCIES,
        TYPE,
        LIST,
        DATA,
        COUNT,
        NUMBER,
        /// A number above zero.
        DIVISOR,
        FLAG,
        PATTERN,
        NAMES,
        NAMES_MAP,
        /// Any value: it means nothing to validation.
        ANNOTATION
    }

    private static final Map<String, Keyword> BY_NAME = HashMap.newHashMap(64);

    static {
        for (Keyword keyword : values()) {
            BY_NAME.put(keyword.text, keyword);
        }
    }

    private final String text;
    private final Form form;

    Keyword(String text, Form form) {
        this.text = text;
        this.form = form;
    }

    static @Nullable Keyword of(String name) {
        return BY_NAME.get(name);
    }

    /// As schemas spell it.
    String text() {
        return text;
    }

    Form form() {
        return form;
    }
}
