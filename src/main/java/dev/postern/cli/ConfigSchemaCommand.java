package dev.postern.cli;

import dev.postern.config.ConfigSchema;
import picocli.CommandLine.Model.CommandSpec;

/// `config schema`: the JSON Schema of `config.json` (CFG-7), which is one JSON object with and without
/// `--json`.
final class ConfigSchemaCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(
                this, "schema", "Print the JSON Schema of config.json.", "Editors find it through $schema.");
    }

    @Override
    public int run(Line line, Session session) {
        session.console().out().line(ConfigSchema.text().stripTrailing());
        return ExitCode.DONE;
    }
}
