package dev.postern.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Who we say we are. We declare no capability (WIR-5).
public record ClientInfo(String name, String version) {
    public static ClientInfo postern(String version) {
        return new ClientInfo("postern", version);
    }

    /// As both eras send it: `{"name":…,"version":…}`.
    public ObjectNode json() {
        return JsonNodeFactory.instance.objectNode().put("name", name).put("version", version);
    }
}
