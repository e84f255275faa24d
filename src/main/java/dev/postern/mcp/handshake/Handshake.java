package dev.postern.mcp.handshake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mcp.ClientInfo;
import java.util.List;

/// `initialize`, its answer and what follows it. The instructions, capabilities and name in the answer are
/// ignored: they grant nothing (WIR-8).
public final class Handshake {
    public static final String METHOD = "initialize";

    /// Sent once the answer was accepted, before anything else.
    public static final String INITIALIZED = "notifications/initialized";

    /// The revisions accepted, newest first; the first is the one we ask for.
    public static final List<String> REVISIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

    private Handshake() {}

    public static ObjectNode params(ClientInfo client) {
        var params = JsonNodeFactory.instance.objectNode().put("protocolVersion", REVISIONS.getFirst());
        params.putObject("capabilities");
        params.set("clientInfo", client.json());
        return params;
    }

    /// What the result of `initialize` means.
    public sealed interface Answer {}

    public record Agreed(String revision) implements Answer {}

    /// The server insists on a revision that we don't speak; its text is untrusted.
    public record OtherRevision(String offered) implements Answer {}

    /// No answer at all; `reason` holds no text of the server.
    public record Invalid(String reason) implements Answer {}

    public static Answer read(JsonNode result) {
        JsonNode version = result.path("protocolVersion");
        if (!version.isTextual()) {
            return new Invalid(
                    result.isObject() ? "protocolVersion is missing or not a string" : "the result is not an object");
        }
        String revision = version.textValue();
        return REVISIONS.contains(revision) ? new Agreed(revision) : new OtherRevision(revision);
    }
}
