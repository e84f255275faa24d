package dev.postern.app;

import dev.postern.testkit.Script;
import java.io.IOException;

/// Every place where a server can put text of its own, each with a name in front of it: servers that put the
/// same text at all of them.
///
/// @param json the text inside the quotes of a JSON string
/// @param raw the text on a line of standard error, or one that is no JSON
record Places(String json, String raw) {
    private String at(String place) {
        return place + json;
    }

    private static String result(String members) {
        return "result {\"resultType\":\"complete\"," + members + "}";
    }

    private static String text(String text) {
        return "\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]";
    }

    void configure(Commands commands) throws IOException {
        var plain = "{\"type\":\"object\"}";
        var rich = "{\"type\":\"object\",\"title\":\"" + at("schema-title-") + "\",\"properties\":{\""
                + at("schema-key-") + "\":{\"enum\":[\"" + at("enum-") + "\"]}}}";
        var script = Script.empty()
                .line("instructions " + raw)
                .line("definition {\"name\":\"text\",\"title\":\"" + json + "\",\"description\":\""
                        + at("description-") + "\",\"annotations\":{\"title\":\"" + json + "\"},\"inputSchema\":"
                        + rich + "}")
                .definition(definition("structure", plain))
                .definition(definition("iserror", plain))
                .definition(definition("rpcerror", plain))
                .line("definition {\"name\":\"broken\",\"inputSchema\":" + plain
                        + ",\"outputSchema\":{\"type\":\"object\",\"required\":[\"" + at("property-") + "\"]}}")
                .definition(definition("strict", "{\"type\":\"object\",\"required\":[\"" + at("required-") + "\"]}"))
                .definition(definition("noisy", plain))
                .definition(definition("dies", plain))
                .definition(definition(at("name-"), plain))
                .definition(definition("unfit", "{\"type\":\"object\",\"" + at("reason-") + "\":1}"))
                .on(
                        "call:text",
                        result("\"content\":[{\"type\":\"text\",\"text\":\"" + at("text-") + "\"},{\"type\":\""
                                + json
                                + "\"},{\"type\":\"resource\",\"resource\":{\"uri\":\"" + at("uri-")
                                + "\",\"mimeType\":\"" + json + "\",\"text\":\"" + at("uri-") + "\"}}]"))
                .on(
                        "call:structure",
                        result("\"content\":[],\"structuredContent\":{\"" + at("key-") + "\":\"" + at("value-")
                                + "\"}"))
                .on("call:iserror", result(text(at("words-")) + ",\"isError\":true"))
                .on(
                        "call:rpcerror",
                        "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":\"" + at("error-")
                                + "\",\"data\":\"" + json + "\"}}")
                .on("call:broken", result("\"content\":[],\"structuredContent\":{}"))
                .on("call:noisy", "say stderr-" + raw)
                .on("call:noisy", "noise 20 " + raw)
                .on("call:dies", "say last-" + raw)
                .on("call:dies", "exit 3");
        commands.server(
                "s", script, "text", "structure", "iserror", "rpcerror", "broken", "strict", "noisy", "dies", "unfit");
        commands.server(
                "version",
                Script.empty()
                        .era("legacy")
                        .on(
                                "initialize",
                                "result {\"protocolVersion\":\"" + at("version-")
                                        + "\",\"capabilities\":{},\"serverInfo\":{\"name\":\"" + json
                                        + "\",\"version\":\"" + json + "\"}}"));
        commands.server(
                "refuses",
                Script.empty()
                        .on(
                                "tools/list",
                                "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":\""
                                        + at("refused-") + "\"}}"));
        commands.server(
                "exits",
                Script.empty()
                        .atStart("say startup-" + raw)
                        .atStart("noise 3 " + raw)
                        .atStart("exit 3"));
        commands.server(
                "twice",
                Script.empty().definition(definition(at("twin-"), plain)).definition(definition(at("twin-"), plain)));
    }

    private static String definition(String name, String schema) {
        return "{\"name\":\"" + name + "\",\"inputSchema\":" + schema + "}";
    }
}
