package dev.postern.host;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.catalog.Excluded;
import dev.postern.catalog.ModelDefinition;
import dev.postern.catalog.Tool;
import dev.postern.host.Host.ListedTool;
import dev.postern.host.Host.OfferedTool;
import dev.postern.host.Host.ServerTools;
import dev.postern.policy.Decision;
import dev.postern.policy.Mode;
import dev.postern.policy.Policy;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import dev.postern.server.Connected;
import dev.postern.server.ServerSupervisor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads a catalog for `mcp tools` and `mcp discover`, redacted: a definition is a server's text like any other
/// (SEC-5).
final class ToolsView {
    private final ServerSupervisor server;
    private final Redactor redactor;
    private final JsonRedactor json;

    private ToolsView(ServerSupervisor server) {
        this.server = server;
        this.redactor = server.redactor();
        this.json = new JsonRedactor(redactor);
    }

    static ServerTools offered(ServerSupervisor server, Connected connected) {
        var view = new ToolsView(server);
        var tools = new ArrayList<OfferedTool>();
        for (var tool : connected.catalog().tools()) {
            tools.add(view.offered(tool));
        }
        var excluded = connected.catalog().excluded().stream().map(view::clean).toList();
        return new ServerTools(server.id(), tools, excluded, StatusView.diagnostics(server, server.state()));
    }

    static List<ListedTool> listed(ServerSupervisor server, Connected connected) {
        var view = new ToolsView(server);
        Map<String, Excluded> excluded = new HashMap<>();
        connected.catalog().excluded().forEach(each -> excluded.put(each.name(), view.clean(each)));
        return connected.catalog().listed().stream()
                .map(tool -> new ListedTool(
                        view.clean(tool.name()),
                        view.clean(tool.description()),
                        view.allows(tool.name(), Mode.COMMAND),
                        view.allows(tool.name(), Mode.SCHEDULED),
                        excluded.get(tool.name())))
                .toList();
    }

    private OfferedTool offered(Tool tool) {
        var model = ModelDefinition.of(tool);
        return new OfferedTool(
                clean(tool.name()),
                clean(model.name()),
                clean(tool.description()),
                clean(model.parameters()),
                clean(tool.inputSchema()),
                allows(tool.name(), Mode.SCHEDULED),
                tool.digest());
    }

    private boolean allows(String tool, Mode mode) {
        return Policy.decide(server.rule(), tool, mode) instanceof Decision.Allow;
    }

    private String clean(String text) {
        return redactor.redact(text).text();
    }

    private JsonNode clean(JsonNode tree) {
        return json.redact(tree).node();
    }

    private Excluded clean(Excluded excluded) {
        return new Excluded(clean(excluded.name()), excluded.code(), clean(excluded.reason()));
    }
}
