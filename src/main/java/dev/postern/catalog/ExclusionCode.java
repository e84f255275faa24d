package dev.postern.catalog;

/// Why an allowed tool is not offered (CAT-3). The code is public in `--json` and never renamed.
public enum ExclusionCode {
    /// The name is not `[A-Za-z0-9_.-]{1,128}`.
    TOOL_NAME("tool.name"),
    /// The description is no text, or longer than `limits.descriptionChars`.
    TOOL_DESCRIPTION("tool.description"),
    /// The definition nests too deep, or holds a number outside the bounds of WIR-3.
    TOOL_DEFINITION("tool.definition"),
    /// `execution.taskSupport` is `required`: only callable as a task, which we never do.
    TOOL_TASK("tool.task-required"),
    /// An invalid `x-mcp-header` on a remote server.
    TOOL_HEADER("tool.header"),
    /// Another tool would have the same name for a model (MOD-1).
    TOOL_MODEL_NAME("tool.model-name"),
    /// The schema is missing or no object, or the input schema's root is not `type: object`.
    SCHEMA_ROOT("schema.root"),
    /// Over `limits.schemaBytes`.
    SCHEMA_BYTES("schema.bytes"),
    /// Over `limits.schemaDepth`.
    SCHEMA_DEPTH("schema.depth"),
    /// Over `limits.schemaNodes`.
    SCHEMA_NODES("schema.nodes"),
    /// Neither draft-07 nor 2020-12.
    SCHEMA_DIALECT("schema.dialect"),
    /// A keyword of neither dialect.
    SCHEMA_KEYWORD("schema.keyword"),
    /// A keyword whose value has no meaning, such as `required: "x"`.
    SCHEMA_MALFORMED("schema.malformed"),
    /// A `$ref` that leaves the schema.
    SCHEMA_REF_REMOTE("schema.ref-remote"),
    /// A `$ref` to nothing, or to something that is no schema.
    SCHEMA_REF_DANGLING("schema.ref-dangling"),
    /// A `$ref` that leads back to itself.
    SCHEMA_REF_CYCLIC("schema.ref-cyclic"),
    /// References that unfold to more than 4,096 nodes.
    SCHEMA_UNFOLDING("schema.unfolding"),
    /// `$id`, `$anchor` or `$dynamicAnchor` below the root, or a dynamic reference anywhere.
    SCHEMA_IDENTIFIER("schema.identifier"),
    /// A pattern that RE2 can't compile, or not within bounds.
    SCHEMA_PATTERN("schema.pattern");

    private final String code;

    ExclusionCode(String code) {
        this.code = code;
    }

    /// The text that programs match on, such as `schema.depth`.
    public String code() {
        return code;
    }
}
