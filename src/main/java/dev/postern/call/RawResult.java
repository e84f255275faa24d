package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.postern.catalog.Tool;
import dev.postern.mcp.Era;
import org.jspecify.annotations.Nullable;

/// What a `tools/call` result says, before anything in it is redacted or shortened. What a malformed one is:
///
/// | seen | read as |
/// | --- | --- |
/// | no object, no `content` array, `isError` or `resultType` of a wrong type, an unknown `resultType` | [Malformed] |
/// | `resultType` is `input_required` | [InputRequired] |
/// | structured content that breaks or lacks the declared output schema, of a result that is no error | [Breaking] |
/// | structured content that is no object, in the handshake era | [Breaking] |
/// | `resultType`, `isError` or `structuredContent` that is `null` | taken as absent, as some serialisers mean it |
/// | content blocks that are no objects or of unknown types | kept; they are omitted with a marker later |
///
/// See https://modelcontextprotocol.io/specification/2026-07-28/server/tools.
sealed interface RawResult {
    /// An answer that can be handed on. `error` is the server's `isError`.
    record Complete(ArrayNode content, @Nullable JsonNode structured, boolean error) implements RawResult {}

    /// The tool ran, and its structured content is not what it declares (CAL-6).
    record Breaking(String what, ArrayNode content) implements RawResult {}

    /// The server wants an answer of its own before it goes on. It gets none.
    record InputRequired() implements RawResult {}

    /// No valid result.
    record Malformed(String what) implements RawResult {}

    static RawResult read(JsonNode result, Tool tool, Era era) {
        if (!result.isObject()) {
            return new Malformed("a result that is not an object");
        }
        var type = present(result.get("resultType"));
        if (type != null && !type.isTextual()) {
            return new Malformed("a resultType that is not a string");
        }
        if (type != null && type.textValue().equals("input_required")) {
            return new InputRequired();
        }
        if (type != null && !type.textValue().equals("complete")) {
            return new Malformed("an unknown resultType");
        }
        if (!(result.get("content") instanceof ArrayNode content)) {
            return new Malformed("a result without a content array");
        }
        var flag = present(result.get("isError"));
        if (flag != null && !flag.isBoolean()) {
            return new Malformed("an isError that is not a boolean");
        }
        boolean error = flag != null && flag.booleanValue();
        var structured = present(result.get("structuredContent"));
        var breach = error ? null : breach(structured, tool, era);
        return breach == null ? new Complete(content, structured, error) : new Breaking(breach, content);
    }

    private static @Nullable JsonNode present(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }

    private static @Nullable String breach(@Nullable JsonNode structured, Tool tool, Era era) {
        var schema = tool.output();
        if (structured == null) {
            return schema == null ? null : "it declares an output schema but returned no structured content";
        }
        if (era == Era.HANDSHAKE && !structured.isObject()) {
            return "its structured content is not an object, as its protocol version demands";
        }
        if (schema == null) {
            return null;
        }
        var violations = schema.validate(structured);
        if (violations.isEmpty()) {
            return null;
        }
        var first = violations.getFirst();
        return "its structured content breaks its own output schema at \"" + first.pointer() + "\": " + first.message();
    }
}
