package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Folding;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Untrusted;
import dev.postern.config.Config;
import dev.postern.config.ConfigWarning;
import dev.postern.config.Launch;
import dev.postern.config.ModelSettings;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.datadir.DataDirectory.Checked;
import dev.postern.secret.Redactor;
import dev.postern.secret.source.Resolution;
import dev.postern.secret.source.SecretResolver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `doctor`: one line for each thing that must be right before a server can start, with a remedy where it is
/// not (CLI-7). Starts nothing, changes nothing. Exit code 1 with findings.
final class DoctorCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this,
                "doctor",
                "Check directory, records, configuration, credentials, commands and containment.",
                "Starts nothing and changes nothing. Ends with 1 when there are findings.");
    }

    @Override
    public int run(Line line, Session session) {
        var checks = new Checks();
        switch (session.services().dataDirectory(session.dataDir())) {
            case Answer.Not<DataDirectory> not -> checks.finding("data directory", not.problem());
            case Answer.Here<DataDirectory> here -> {
                var services = session.services();
                var config = directory(checks, services, here.value());
                worker(checks, services.worker().status(here.value()));
                if (config != null) {
                    model(checks, services.machine(), services.secrets(here.value()), config.model());
                }
            }
        }
        return checks.print(session.console());
    }

    /// @return the configuration, where it is acceptable
    private static @Nullable Config directory(Checks checks, Services services, DataDirectory directory) {
        switch (directory.check()) {
            case Checked.Ready ready ->
                checks.ok("data directory", directory.path().toString());
            case Checked.Absent absent ->
                checks.ok("data directory", directory.path() + " does not exist yet; it is made when needed");
            case Checked.Refused refused -> {
                checks.finding("data directory", refused.problem());
                return null;
            }
        }
        if (directory.checkRun() instanceof Checked.Refused refused) {
            checks.finding("run directory", refused.problem());
        }
        var machine = services.machine();
        switch (machine.records(directory)) {
            case Answer.Here<String> here -> checks.ok("records", here.value());
            case Answer.Not<String> not -> checks.finding("records", not.problem());
        }
        Config config = null;
        switch (services.configuration(directory, Services.Environment.COUNTS)) {
            case Loaded.Unreadable unreadable -> checks.finding("configuration", unreadable.problem());
            case Loaded.Invalid invalid -> {
                for (var problem : invalid.rejected().problems()) {
                    checks.finding("configuration", problem.text(), "");
                }
                if (invalid.rejected().omitted() > 0) {
                    checks.finding("configuration", invalid.rejected().omitted() + " more problems", "");
                }
            }
            case Loaded.Ready ready -> {
                config = ready.config();
                configuration(checks, directory, config, ready.warnings());
                servers(checks, machine, services.secrets(directory), config);
            }
        }
        switch (machine.containment()) {
            case Answer.Here<String> here -> checks.ok("containment", here.value());
            case Answer.Not<String> not -> checks.finding("containment", not.problem());
        }
        var leftovers = machine.leftovers(directory);
        if (leftovers.isEmpty()) {
            checks.ok("run ledger", "no process is left of a Postern that was killed");
        }
        leftovers.forEach(problem -> checks.finding("run ledger", problem));
        return config;
    }

    /// Asks no model anything; where none is configured, this machine is searched for one.
    private static void model(
            Checks checks, Services.Machine machine, SecretResolver secrets, @Nullable ModelSettings model) {
        if (model == null) {
            var local = machine.localModel();
            if (local == null) {
                checks.later(
                        "model", "none is configured, and no Ollama with a model runs here; only a chat needs one");
            } else {
                checks.ok("model", "none is configured; a chat takes " + local.name() + " of the Ollama here");
            }
            return;
        }
        var key = model.apiKey();
        var resolved = key == null ? null : secrets.resolve(key, ModelSettings.KEY);
        if (resolved instanceof Resolution.Missing(Problem problem)) {
            checks.finding("model", problem);
            return;
        }
        checks.ok(
                "model",
                model.provider().name().toLowerCase(Locale.ROOT) + " " + model.name() + " at " + model.baseUrl()
                        + (key == null ? ", without a key" : ", key from " + key.describe()));
        if (resolved instanceof Resolution.Found(var value)
                && !new Redactor(List.of(value)).unredactable().isEmpty()) {
            checks.finding(
                    "model",
                    "The key is too short to be redacted: shown is whatever a provider makes of it.",
                    "Use a key of 8 characters at least.");
        }
    }

    /// Its references are resolved in its own environment, which is not this command's (WRK-5).
    private static void worker(Checks checks, Answer<ObjectNode> status) {
        switch (status) {
            case Answer.Not<ObjectNode> not
            when not.problem().code() == ErrorCode.WORKER_ABSENT ->
                checks.later("worker", "none runs; commands start their own servers");
            case Answer.Not<ObjectNode> not -> checks.finding("worker", not.problem());
            case Answer.Here<ObjectNode> here -> {
                var worker = here.value();
                checks.ok(
                        "worker",
                        "process " + worker.path("pid").asText() + ", since "
                                + worker.path("since").asText());
                if (worker.path("configChanged").asBoolean()) {
                    checks.finding(
                            "worker",
                            "config.json has changed since the worker read it.",
                            "Run `postern worker restart`.");
                }
                for (var server : worker.path("servers")) {
                    if (server.path("state").asText().equals("unavailable")) {
                        checks.finding(
                                "worker's " + server.path("id").asText(),
                                server.path("problem").path("message").asText(),
                                server.path("problem").path("next").asText());
                    }
                }
            }
        }
    }

    private static void configuration(
            Checks checks, DataDirectory directory, Config config, List<ConfigWarning> warnings) {
        var file = directory.config();
        int count = config.servers().size();
        checks.ok(
                "configuration",
                file
                        + (Files.exists(file) ? ": " : " does not exist: ")
                        + (count == 0 ? "MCP is off" : count == 1 ? "1 server" : count + " servers"));
        for (var warning : warnings) {
            checks.finding("configuration", warning.text(), "");
        }
    }

    private static void servers(Checks checks, Services.Machine machine, SecretResolver secrets, Config config) {
        for (var server : config.servers()) {
            if (!server.enabled()) {
                continue;
            }
            var unsupported = server.unsupported();
            if (unsupported != null) {
                checks.finding("server " + server.id(), unsupported);
            } else if (server.launch() instanceof Launch.Stdio stdio) {
                switch (machine.command(server)) {
                    case Answer.Here<Path> here ->
                        checks.ok("command of " + server.id(), here.value().toString());
                    case Answer.Not<Path> not -> checks.finding("command of " + server.id(), not.problem());
                }
                stdio.environment().forEach((name, reference) -> {
                    var what = "credentials of " + server.id();
                    if (secrets.resolve(reference, name) instanceof Resolution.Missing(Problem problem)) {
                        checks.finding(what, problem);
                    } else {
                        checks.ok(what, name + " from " + reference.describe());
                    }
                });
            }
        }
    }

    /// The lines so far. Confined to the command's thread.
    private static final class Checks {
        /// A column that holds fewer characters is no help to a reader.
        private static final int NARROWEST = 20;

        private final List<Check> checks = new ArrayList<>();

        void ok(String what, String detail) {
            checks.add(new Check(State.OK, what, detail, null));
        }

        void later(String what, String detail) {
            checks.add(new Check(State.ABSENT, what, detail, null));
        }

        void finding(String what, Problem problem) {
            finding(what, problem.message(), problem.next());
        }

        void finding(String what, String message, String next) {
            checks.add(new Check(State.FINDING, what, message, next.isBlank() ? null : next));
        }

        int print(Console console) {
            int findings = 0;
            int widest = 0;
            for (var check : checks) {
                findings += check.state == State.FINDING ? 1 : 0;
                widest = Math.max(widest, check.what.length());
            }
            if (console.json()) {
                json(console, findings);
            } else {
                text(console, findings, widest);
            }
            return findings == 0 ? ExitCode.DONE : ExitCode.INTERNAL;
        }

        /// The detail and the remedy, beside the two columns of width `indent` where a terminal has the room.
        private static String folded(Console console, Check check, int indent) {
            var text =
                    Untrusted.line(console.hint(check.next == null ? check.detail : check.detail + " → " + check.next));
            int width = console.width() - indent;
            return String.join("\n" + " ".repeat(indent), Folding.fold(text, width < NARROWEST ? 0 : width));
        }

        private void json(Console console, int findings) {
            var object = JsonNodeFactory.instance.objectNode().put("findings", findings);
            var items = object.putArray("checks");
            for (var check : checks) {
                items.addObject()
                        .put("state", check.state.key)
                        .put("check", check.what)
                        .put("message", console.hint(check.detail))
                        .put("next", check.next == null ? null : console.hint(check.next));
            }
            console.json(object);
        }

        private void text(Console console, int findings, int widest) {
            for (var check : checks) {
                console.out()
                        .styled(check.state.style, check.state.shown + " ".repeat(9 - check.state.shown.length()))
                        .text(check.what + " ".repeat(widest + 2 - check.what.length()))
                        .line(folded(console, check, 9 + widest + 2));
            }
            console.out()
                    .end()
                    .line(findings == 0 ? "No findings." : findings == 1 ? "1 finding." : findings + " findings.");
        }
    }

    /// What a check found: how programs read it, how people see it.
    private enum State {
        OK("ok", "ok", Style.GOOD),
        FINDING("finding", "finding", Style.BAD),

        /// There is nothing to check in this version.
        ABSENT("absent", "-", Style.DIM);

        private final String key;
        private final String shown;
        private final Style style;

        State(String key, String shown, Style style) {
            this.key = key;
            this.shown = shown;
            this.style = style;
        }
    }

    private record Check(
            State state,
            String what,
            String detail,
            @Nullable String next) {}
}
