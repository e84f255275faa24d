package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// What a server answered, redacted first and then made to fit `limits.resultBytes` (RES-1 to RES-3). Untrusted
/// data.
///
/// @param content MCP content blocks of type `text` and of type `resource` with text; everything else is a text
///     marker
/// @param structuredContent null when there was none or it was left out whole
/// @param truncated a text was shortened
/// @param omittedContent how many blocks were left out, by their type
/// @param redacted how many times a secret was replaced
public record ToolResult(
        ArrayNode content,
        @Nullable JsonNode structuredContent,
        boolean truncated,
        SortedMap<String, Integer> omittedContent,
        boolean omittedStructuredContent,
        int redacted) {}
