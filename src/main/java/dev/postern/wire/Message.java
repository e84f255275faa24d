package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// One JSON-RPC 2.0 message (WIR-1, https://www.jsonrpc.org/specification). Immutable but for the trees it
/// carries, which nobody changes after construction.
public sealed interface Message {
    /// A call that wants an answer. `id` is kept as the peer wrote it, since an answer must repeat it exactly.
    record Request(JsonNode id, String method, @Nullable ObjectNode params) implements Message {}

    record Notification(String method, @Nullable ObjectNode params) implements Message {}

    /// An answer to one request.
    sealed interface Response extends Message {
        JsonNode id();
    }

    record Result(JsonNode id, JsonNode result) implements Response {}

    /// `code` is the peer's; `message` and `data` are untrusted text.
    record Failure(
            JsonNode id, int code, String message, @Nullable JsonNode data) implements Response {}
}
