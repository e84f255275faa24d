package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest.ArgumentsSource;
import dev.postern.call.Outcome;
import dev.postern.cli.argument.ArgumentText;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.cli.render.Style;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.demo.DemoServer;
import dev.postern.host.Host;
import dev.postern.host.Host.ListedTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `quickstart`: the whole thing with a real server process and no configuration, in a temporary data directory
/// that is gone afterwards, however it ends (CLI-7).
final class QuickstartCommand implements Command {
    private static final String SERVER = "demo";
    private static final String CREDENTIAL = "demo-token";
    private static final List<String> ALLOWED = List.of("echo", "add", "show_token");

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this,
                "quickstart",
                "Show everything in a minute, with a bundled demo server.",
                "Needs no configuration, works in a temporary directory, and leaves nothing behind.");
    }

    @Override
    public int run(Line line, Session session) {
        Path directory;
        try {
            directory = session.services().temporaryDirectory();
        } catch (IOException e) {
            return session.fail(unwritable("a temporary directory", e));
        }
        var temporary = new TemporaryDirectory(directory);
        session.leftovers().add(temporary::delete);
        try {
            return new Tour(session, directory).run();
        } finally {
            temporary.delete();
        }
    }

    private static Problem unwritable(String what, IOException e) {
        return new Problem(
                ErrorCode.STORAGE_UNWRITABLE,
                "Writing " + what + " failed: " + IoReason.of(e) + ".",
                "Set TMPDIR to a directory that you can write.");
    }

    /// One walk. Confined to the command's thread.
    private static final class Tour {
        private final Session session;
        private final Console console;
        private final Path directory;
        private final ObjectNode object = JsonNodeFactory.instance.objectNode();

        Tour(Session session, Path directory) {
            this.session = session;
            this.console = session.console();
            this.directory = directory;
        }

        int run() {
            var services = session.services();
            var dataDirectory = services.dataDirectoryAt(directory);
            var config = configuration();
            var secret = "demo-" + UUID.randomUUID();
            try {
                Files.writeString(
                        dataDirectory.config(),
                        JsonText.pretty(config) + "\n",
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE_NEW);
            } catch (IOException e) {
                return session.fail(unwritable(dataDirectory.config().toString(), e));
            }
            var problem = services.credentials(dataDirectory).write(CREDENTIAL, secret);
            if (problem != null) {
                return session.fail(problem);
            }
            showConfiguration(config);
            return switch (services.configuration(dataDirectory, Services.Environment.IGNORED)) {
                case Loaded.Invalid invalid -> ConfigurationText.tell(console, invalid.rejected());
                case Loaded.Unreadable unreadable -> session.fail(unreadable.problem());
                case Loaded.Ready ready -> {
                    try (var host = services.host(dataDirectory, ready)) {
                        yield walk(host, secret);
                    }
                }
            };
        }

        private static ObjectNode configuration() {
            var command = DemoServer.command();
            var config = JsonNodeFactory.instance.objectNode();
            var server = config.putArray("mcpServers").addObject();
            server.put("id", SERVER).put("enabled", true).put("command", command.getFirst());
            server.set("args", ServerText.strings(command.subList(1, command.size())));
            server.putObject("environment").putObject(DemoServer.TOKEN_VARIABLE).put("credential", CREDENTIAL);
            server.set("tools", ServerText.strings(ALLOWED));
            return config;
        }

        private int walk(Host host, String secret) {
            var listed = discover(host);
            if (listed instanceof Answer.Not<List<ListedTool>> not) {
                return session.fail(not.problem());
            }
            var calls = object.putArray("calls");
            var steps = List.of(
                    new Step("2. A call that is allowed", "add", List.of("a=2", "b=40")),
                    new Step("3. A call that is not allowed", "delete_everything", List.of()),
                    new Step("4. A secret that a careless server prints", "show_token", List.of()));
            for (var step : steps) {
                if (session.cancellation().requested()) {
                    return session.fail(Session.CANCELLED);
                }
                var report = call(host, step);
                calls.add(CallText.object(console, report, false));
                var trouble = trouble(step, report, secret);
                if (trouble != null) {
                    return session.fail(trouble);
                }
            }
            goOn();
            return ExitCode.DONE;
        }

        private Answer<List<ListedTool>> discover(Host host) {
            heading("1. What the server lists, and what you allow", "postern mcp discover " + SERVER);
            Answer<List<ListedTool>> answer;
            try (var _ = console.progress("Starting the demo server")) {
                answer = session.orCancelled(host.discover(SERVER, session.cancellation()));
            }
            if (answer instanceof Answer.Here<List<ListedTool>> here) {
                var tools = object.putArray("tools");
                here.value()
                        .forEach(tool ->
                                tools.addObject().put("name", tool.name()).put("allowed", tool.allowed()));
                if (!console.json()) {
                    McpDiscoverCommand.table(console, here.value());
                }
            }
            return answer;
        }

        private CallReport call(Host host, Step step) {
            var typed = step.pairs.isEmpty() ? "" : " " + String.join(" ", step.pairs);
            heading(step.title, "postern call " + SERVER + " " + step.tool + typed);
            var report = host.call(SERVER, step.tool, step.arguments(console), session.cancellation());
            if (!console.json()) {
                int code = CallText.print(console.onOneStream(), report, Limit.RESULT_BYTES.standard(), false);
                if (report.outcome() instanceof Outcome.Refused) {
                    console.out()
                            .line("Refused before anything was sent: the server never heard of it (exit code " + code
                                    + ").");
                }
            }
            return report;
        }

        /// What is not as it should be, or null: a demonstration must not show what is not so.
        private @Nullable Problem trouble(Step step, CallReport report, String secret) {
            boolean refusalWanted = !ALLOWED.contains(step.tool);
            boolean right = switch (report.outcome()) {
                case Outcome.Succeeded succeeded ->
                    !refusalWanted && !succeeded.result().content().toString().contains(secret);
                case Outcome.Refused refused -> refusalWanted;
                case Outcome.Failed failed -> false;
                case Outcome.NotSent notSent -> false;
                case Outcome.Unknown unknown -> false;
            };
            if (right) {
                return null;
            }
            if (session.cancellation().requested()) {
                return Session.CANCELLED;
            }
            return new Problem(
                    ErrorCode.INTERNAL,
                    "The demonstration went wrong at " + step.tool + ": "
                            + report.outcome().word() + ".",
                    "Run `postern doctor`.");
        }

        private void showConfiguration(ObjectNode config) {
            var shown = config.deepCopy();
            var server = (ObjectNode) shown.get("mcpServers").get(0);
            server.set("args", ServerText.strings(List.of("…", DemoServer.class.getName())));
            object.put("dataDirectory", directory.toString());
            object.set("config", config);
            if (console.json()) {
                return;
            }
            var out = console.out();
            out.styled(Style.BOLD, "Postern runs tools of MCP servers, and only those that you allow.")
                    .end();
            out.line("This is a demonstration in " + directory + ", which is removed at the end.");
            out.end().line("The whole configuration is one file, config.json:").end();
            for (var line : JsonText.pretty(shown).split("\n", -1)) {
                out.line("  " + line);
            }
            out.end().line("It names the tools that may be used. The secret is in a protected file, as");
            out.line("`postern credential set " + CREDENTIAL + "` writes it; the configuration only refers to it.");
        }

        private void heading(String title, String command) {
            if (console.json()) {
                return;
            }
            console.out().end().styled(Style.BOLD, title).end();
            console.out().styled(Style.DIM, "$ " + command).end();
            console.out().flush();
        }

        private void goOn() {
            var program = ShellText.quoted(System.getProperty("postern.launcher", "postern"));
            var own = switch (session.services().dataDirectory(session.dataDir())) {
                case Answer.Here<DataDirectory> here -> here.value();
                case Answer.Not<DataDirectory> not -> null;
            };
            var file = own == null
                    ? "config.json in your data directory"
                    : own.config().toString();
            object.put("next", "Write " + file + ", then run " + program + " doctor.");
            if (console.json()) {
                console.json(object);
                return;
            }
            var out = console.out();
            out.end().styled(Style.BOLD, "Now with a server of your own").end();
            if (own != null && !Files.isDirectory(own.path())) {
                out.line("Make a directory for it:");
                out.end();
                out.line("  mkdir -p -m 700 " + ShellText.quoted(own.path().toString()));
                out.end();
            }
            out.line("Write this to " + file + " (needs Node.js):");
            out.end();
            out.line("  {");
            out.line("    \"mcpServers\": [{");
            out.line("      \"id\": \"files\", \"enabled\": true,");
            out.line("      \"command\": \"npx\",");
            out.line("      \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/tmp\"],");
            out.line("      \"tools\": [\"read_text_file\", \"list_directory\"],");
            out.line("      \"timeouts\": {\"startup\": \"1m\"}");
            out.line("    }]");
            out.line("  }");
            out.end();
            out.line("then:");
            out.end();
            out.line("  " + program + " doctor                                 # is everything in place?");
            out.line("  " + program + " mcp discover files                     # what does the server offer?");
            out.line("  " + program + " call files list_directory path=/tmp    # call a tool");
        }
    }

    /// One call of the demonstration, with its arguments as somebody would type them.
    private record Step(String title, String tool, List<String> pairs) {
        ArgumentsSource arguments(Console console) {
            return switch (ArgumentText.read(pairs, null, console.in(), none -> console.in())) {
                case Answer.Here<ArgumentsSource> here -> here.value();
                case Answer.Not<ArgumentsSource> not ->
                    throw new IllegalStateException(not.problem().message());
            };
        }
    }
}
