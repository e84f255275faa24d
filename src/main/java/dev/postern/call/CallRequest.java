package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.policy.Mode;
import org.jspecify.annotations.Nullable;

/// What somebody wants called, and on whose behalf.
///
/// @param origin the run that the call belongs to; null for one that is a run of its own (RUN-1)
public record CallRequest(
        String server,
        String tool,
        ArgumentsSource arguments,
        Mode mode,
        @Nullable Origin origin) {
    /// Gives the arguments once the tool's own input schema is known: text that is typed by the schema needs it
    /// (CLI-3).
    public interface ArgumentsSource {
        Answer<ObjectNode> arguments(JsonNode inputSchema);
    }

    /// The run that asks, and the name by which its model chose the tool (MOD-4), null where no model did.
    public record Origin(String runId, @Nullable String modelName) {}
}
