package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import picocli.CommandLine.Model.CommandSpec;

/// `credential remove NAME` (SEC-6).
final class CredentialRemoveCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "remove", "Remove a stored credential.")
                .addPositional(Shapes.required(0, "NAME", "The name of the credential."));
    }

    @Override
    public int run(Line line, Session session) {
        var name = line.value(0);
        return session.withDirectory(directory -> {
            var problem = session.services().credentials(directory).remove(name);
            return problem == null ? done(session, name) : session.fail(problem);
        });
    }

    private static int done(Session session, String name) {
        if (session.console().json()) {
            session.console()
                    .json(JsonNodeFactory.instance
                            .objectNode()
                            .put("name", name)
                            .put("removed", true));
        } else {
            session.console().out().line("Credential " + name + " removed.");
        }
        return ExitCode.DONE;
    }
}
