package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.datadir.DataDirectory;

/// What to say where nothing is configured yet.
final class NoServers {
    private NoServers() {}

    static void tell(Session session) {
        var where = switch (session.services().dataDirectory(session.dataDir())) {
            case Answer.Here<DataDirectory> here -> here.value().config().toString();
            case Answer.Not<DataDirectory> not -> "config.json";
        };
        session.console().out().line("No servers are configured: MCP is off.");
        session.console().out().line("Add one to \"mcpServers\" in " + where + "; `postern quickstart` shows how.");
    }
}
