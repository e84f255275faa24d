package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Table;
import dev.postern.secret.source.CredentialStore;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// `credential list`: names, never values (SEC-6).
final class CredentialListCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "list", "List the stored credentials by name.", "Never prints a secret.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withDirectory(directory -> {
            var listing = session.services().credentials(directory).list();
            return listing.problem() == null
                    ? print(session.console(), listing.entries())
                    : session.fail(listing.problem());
        });
    }

    private static int print(Console console, List<CredentialStore.Entry> entries) {
        if (console.json()) {
            var items = JsonNodeFactory.instance.arrayNode();
            for (var entry : entries) {
                var item = items.addObject().put("name", entry.name()).put("usable", entry.problem() == null);
                if (entry.problem() == null) {
                    item.putNull("problem");
                } else {
                    item.set("problem", console.object(entry.problem()));
                }
            }
            console.json(ServerText.list(items));
        } else if (entries.isEmpty()) {
            console.out().line(console.hint("No credentials are stored. `postern credential set NAME` stores one."));
        } else {
            var table = new Table("CREDENTIAL", "STATE");
            for (var entry : entries) {
                table.row(
                        entry.name(),
                        entry.problem() == null
                                ? "ok"
                                : "refused: " + entry.problem().message() + " "
                                        + console.hint(entry.problem().next()));
            }
            table.print(console.out(), console.width());
        }
        return ExitCode.DONE;
    }
}
