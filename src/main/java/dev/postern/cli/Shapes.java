package dev.postern.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ScopeType;

/// Builders for the pieces that command shapes are made of.
final class Shapes {
    static final String JSON = "--json";
    static final String DATA_DIR = "--data-dir";
    static final String SHOW_STDERR = "--show-stderr";

    private Shapes() {}

    static CommandSpec command(Command command, String name, String... description) {
        var spec = CommandSpec.wrapWithoutInspection(command).name(name);
        spec.usageMessage().description(description);
        return spec;
    }

    static PositionalParamSpec required(int index, String label, String description) {
        return requiredOneOf(index, label, description, List.of());
    }

    /// A parameter that completion knows.
    ///
    /// @param candidates what completion offers; none is anything
    static PositionalParamSpec requiredOneOf(int index, String label, String description, List<String> candidates) {
        return PositionalParamSpec.builder()
                .completionCandidates(candidates.isEmpty() ? null : candidates)
                .index(Integer.toString(index))
                .arity("1")
                .required(true)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    static PositionalParamSpec rest(int index, String label, String... description) {
        return PositionalParamSpec.builder()
                .index(index + "..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .arity("0")
                .type(boolean.class)
                .description(description)
                .build();
    }

    static OptionSpec valued(String name, String label, String description) {
        return OptionSpec.builder(name)
                .arity("1")
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    static OptionSpec showStderr() {
        return flag(SHOW_STDERR, "Print the end of what the server wrote to standard error, with secrets redacted.");
    }

    /// Options that may stand before or after the command's name.
    static void addGlobalOptions(CommandSpec root) {
        root.addOption(OptionSpec.builder(DATA_DIR)
                .arity("1")
                .type(String.class)
                .paramLabel("DIR")
                .scopeType(ScopeType.INHERIT)
                .description("The data directory. Default: POSTERN_DATA_DIR, else the platform's own place.")
                .build());
        root.addOption(OptionSpec.builder(JSON)
                .arity("0")
                .type(boolean.class)
                .scopeType(ScopeType.INHERIT)
                .description("Write one JSON object to standard output, on failure too.")
                .build());
        root.addOption(OptionSpec.builder("-h", "--help")
                .arity("0")
                .type(boolean.class)
                .usageHelp(true)
                .scopeType(ScopeType.INHERIT)
                .description("Show help.")
                .build());
    }
}
