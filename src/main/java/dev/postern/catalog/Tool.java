package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// A tool whose definition passed the lint of CAT-3. Everything in it came from the server and grants nothing
/// (CAT-5).
///
/// @param description empty when the server gives none
/// @param definition as the server sent it; nobody changes it
/// @param output null when the server declares no output schema
/// @param digest SHA-256 over the canonical JSON of the whole definition, in lower-case hex (CAT-6)
public record Tool(
        String server,
        String name,
        String description,
        ObjectNode definition,
        ToolSchema input,
        @Nullable ToolSchema output,
        String digest) {

    public JsonNode inputSchema() {
        return definition.get("inputSchema");
    }

    /// The name that a model sees (MOD-1).
    public String modelName() {
        return ModelNames.of(server, name);
    }
}
