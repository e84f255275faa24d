package dev.postern.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import picocli.CommandLine.Model.CommandSpec;

/// `worker status`: whether one runs, since when, and what it holds. Exit code 8 when none does.
final class WorkerStatusCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this, "status", "Show whether the worker runs, and what it holds.", "Ends with 8 when none runs.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withDirectory(directory -> switch (session.services()
                .worker()
                .status(directory)) {
            case Answer.Not<ObjectNode> not -> session.fail(not.problem());
            case Answer.Here<ObjectNode> here -> {
                if (session.console().json()) {
                    session.console().json(here.value());
                } else {
                    text(session.console(), here.value());
                }
                yield ExitCode.DONE;
            }
        });
    }

    private static void text(Console console, ObjectNode status) {
        console.out()
                .line((status.path("ending").asBoolean()
                                ? "The worker is ending: process "
                                : "The worker runs: process ")
                        + status.path("pid").asText() + ", since "
                        + status.path("since").asText() + ", version "
                        + status.path("version").asText() + "; commands it is running: "
                        + status.path("commands").asText() + ".");
        if (!status.path("servers").isEmpty()) {
            var table = new Table("SERVER", "STATE", "PID");
            for (var server : status.path("servers")) {
                table.row(
                        server.path("id").asText(),
                        server.path("state").asText(),
                        server.path("pid").isNull() ? "-" : server.path("pid").asText());
            }
            table.print(console.out(), console.width());
        }
        if (status.path("configChanged").asBoolean()) {
            ConfigurationText.tellChanged(console);
        }
    }
}
