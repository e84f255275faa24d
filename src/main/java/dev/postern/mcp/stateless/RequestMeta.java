package dev.postern.mcp.stateless;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mcp.ClientInfo;

/// The metadata that every request of this era carries.
final class RequestMeta {
    private RequestMeta() {}

    /// Parameters that hold nothing but `_meta`. A server must refuse a request without version or
    /// capabilities.
    static ObjectNode params(ClientInfo client) {
        var params = JsonNodeFactory.instance.objectNode();
        var meta = params.putObject("_meta").put("io.modelcontextprotocol/protocolVersion", Discovery.REVISION);
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        meta.set("io.modelcontextprotocol/clientInfo", client.json());
        return params;
    }
}
