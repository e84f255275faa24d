package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Problem;
import dev.postern.cli.render.Style;
import dev.postern.config.ServerEntry;
import java.nio.file.Files;
import java.util.ArrayList;
import picocli.CommandLine.Model.CommandSpec;

/// `config check`: validates without starting anything (CFG-7).
final class ConfigCheckCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "check", "Check config.json and report every problem at once.", "Starts nothing.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withConfiguration((directory, ready) -> {
            var file = directory.config();
            boolean exists = Files.exists(file);
            var servers = ready.config().servers();
            int enabled = 0;
            var unsupported = new ArrayList<Problem>();
            for (ServerEntry server : servers) {
                enabled += server.enabled() ? 1 : 0;
                var problem = server.enabled() ? server.unsupported() : null;
                if (problem != null) {
                    unsupported.add(problem);
                }
            }
            var console = session.console();
            if (console.json()) {
                var object = JsonNodeFactory.instance
                        .objectNode()
                        .put("file", file.toString())
                        .put("exists", exists)
                        .put("valid", true)
                        .put("servers", servers.size())
                        .put("enabledServers", enabled);
                object.set("warnings", ConfigurationText.warnings(console, ready.warnings()));
                object.set("diagnostics", ServerText.problems(console, unsupported));
                console.json(object);
                return ExitCode.DONE;
            }
            ConfigurationText.warn(console, ready.warnings());
            for (var problem : unsupported) {
                console.err()
                        .styled(Style.WARN, "warning:")
                        .line(" " + problem.message() + " " + console.hint(problem.next()));
            }
            console.out()
                    .line(
                            exists
                                    ? file + " is in order: " + count(servers.size(), enabled) + "."
                                    : file + " does not exist, which is in order: "
                                            + (servers.isEmpty()
                                                    ? "MCP is off."
                                                    : count(servers.size(), enabled) + "."));
            return ExitCode.DONE;
        });
    }

    private static String count(int servers, int enabled) {
        return servers + (servers == 1 ? " server, " : " servers, ") + enabled + " enabled";
    }
}
