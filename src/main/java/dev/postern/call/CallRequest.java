package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.policy.Mode;

/// What somebody wants called, and on whose behalf.
public record CallRequest(String server, String tool, ArgumentsSource arguments, Mode mode) {
    /// Gives the arguments once the tool's own input schema is known: text that is typed by the schema needs it
    /// (CLI-3).
    public interface ArgumentsSource {
        Answer<ObjectNode> arguments(JsonNode inputSchema);
    }
}
