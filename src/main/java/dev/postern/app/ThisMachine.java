package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.Services.Machine;
import dev.postern.config.Launch;
import dev.postern.config.ModelSettings;
import dev.postern.config.ServerEntry;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.RecordsCheck;
import dev.postern.model.LocalOllama;
import dev.postern.process.CommandLookup;
import dev.postern.process.Containment.Kind;
import dev.postern.process.LaunchSpec;
import dev.postern.process.Launcher;
import dev.postern.process.RunLedger;
import dev.postern.process.Sweep;
import dev.postern.secret.SecretRef;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.store.SqliteLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What `doctor` finds out about this machine, without starting a server (CLI-7).
final class ThisMachine implements Machine {
    private final HostEnvironment environment;

    ThisMachine(HostEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public Answer<Path> command(ServerEntry server) {
        return switch (server.launch()) {
            case Launch.Remote remote -> new Answer.Not<>(Objects.requireNonNull(server.unsupported()));
            case Launch.Stdio stdio ->
                switch (new CommandLookup(spec(server.id(), stdio)).find()) {
                    case CommandLookup.Answer.Found found -> new Answer.Here<>(found.program());
                    case CommandLookup.Answer.Not not -> new Answer.Not<>(not.problem());
                };
        };
    }

    @Override
    public Answer<String> containment() {
        var containment = new Launcher().probe();
        var remedy = containment.remedy();
        if (containment.kind() == Kind.BWRAP) {
            return new Answer.Here<>("processes of a server end with it, and it can't see the data directory (bwrap)");
        }
        if (containment.kind().namespace()) {
            return new Answer.Here<>(
                    "processes of a server end with it (" + containment.kind().word()
                            + "); the data directory would be hidden from it by bwrap only"
                            + (remedy == null ? "" : ": " + remedy));
        }
        return new Answer.Not<>(new Problem(
                ErrorCode.DOCTOR_FINDINGS,
                "Servers are not contained in a PID namespace ("
                        + containment.kind().word()
                        + (containment.guarded() ? ": a process group, and a guardian that kills it with Postern" : "")
                        + "): what one detaches can outlive a Postern that is killed, until the next"
                        + " one ends it; the data directory is not hidden from it; and other processes of the same"
                        + " user, their environment included, stay readable to it.",
                remedy == null ? "Nothing better is to be had on this system." : remedy));
    }

    @Override
    public @Nullable ModelSettings localModel() {
        return LocalOllama.find(LocalOllama.USUAL_PLACE);
    }

    @Override
    public Answer<String> records(DataDirectory directory) {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
        return RecordsCheck.of(directory, Recording.OWNERS);
    }

    @Override
    public List<Problem> leftovers(DataDirectory directory) {
        var survey = new Sweep(new RunLedger(new DataPremises(directory))).survey();
        List<Problem> problems = new ArrayList<>();
        for (var remains : survey.remains()) {
            if (!remains.left().isEmpty()) {
                problems.add(new Problem(
                        ErrorCode.DOCTOR_FINDINGS,
                        "A Postern that was killed left processes of the server \"" + remains.server() + "\" behind: "
                                + remains.left() + ".",
                        "The next command that starts a server ends them, such as `postern mcp tools "
                                + remains.server() + "`."));
            }
        }
        problems.addAll(survey.unreadable());
        return problems;
    }

    /// The command is looked up on the `PATH` that the server will get; secrets have no part in it.
    private LaunchSpec spec(String server, Launch.Stdio stdio) {
        var variables = new TreeMap<>(environment.childBase());
        stdio.environment().forEach((name, reference) -> {
            if (reference instanceof SecretRef.Literal literal) {
                variables.put(name, literal.value());
            }
        });
        return new LaunchSpec(server, stdio.command(), stdio.args(), stdio.cwd(), variables, Map.of());
    }
}
