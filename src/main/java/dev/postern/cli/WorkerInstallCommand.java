package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// `worker install` and `worker uninstall`: has the system start the worker with the user's session. The unit
/// saves the data directory and nothing else (WRK-5).
final class WorkerInstallCommand implements Command {
    private final boolean install;

    WorkerInstallCommand(boolean install) {
        this.install = install;
    }

    @Override
    public CommandSpec spec() {
        return install
                ? Shapes.command(
                        this,
                        "install",
                        "Have the system start the worker with your session.",
                        "A systemd user unit, or a LaunchAgent on macOS. It saves the data directory, no variable.")
                : Shapes.command(this, "uninstall", "Undo `worker install`.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withDirectory(directory -> {
            var worker = session.services().worker();
            return switch (install ? worker.install(directory) : worker.uninstall(directory)) {
                case Answer.Not<List<String>> not -> session.fail(not.problem());
                case Answer.Here<List<String>> here -> {
                    var console = session.console();
                    if (console.json()) {
                        var steps = JsonNodeFactory.instance.objectNode();
                        here.value().forEach(steps.putArray("steps")::add);
                        console.json(steps);
                    } else {
                        here.value().forEach(console.out()::line);
                    }
                    yield ExitCode.DONE;
                }
            };
        });
    }
}
