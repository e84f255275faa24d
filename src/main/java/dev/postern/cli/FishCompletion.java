package dev.postern.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Writes a completion script for fish from the shapes of the commands.
final class FishCompletion {
    private final StringBuilder script = new StringBuilder();

    private FishCompletion() {}

    static String script(CommandSpec root) {
        var writer = new FishCompletion();
        writer.script.append("# fish completion for ").append(root.name()).append('\n');
        writer.script.append("complete -c ").append(root.name()).append(" -f\n");
        writer.command(root, List.of());
        return writer.script.toString();
    }

    private void command(CommandSpec spec, List<String> path) {
        for (var child : spec.subcommands().values()) {
            var childSpec = child.getCommandSpec();
            if (!childSpec.usageMessage().hidden()) {
                complete(
                        spec,
                        path,
                        "-a " + childSpec.name(),
                        first(childSpec.usageMessage().description()));
            }
        }
        for (var option : spec.options()) {
            if (!option.hidden() && !(option.inherited() && !path.isEmpty())) {
                complete(spec, path, names(option), first(option.description()));
            }
        }
        if (spec.name().equals("completion")) {
            complete(spec, path, "-a 'bash zsh fish'", "Shell");
        }
        for (var child : spec.subcommands().values()) {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                var childPath = new ArrayList<>(path);
                childPath.add(child.getCommandSpec().name());
                command(child.getCommandSpec(), childPath);
            }
        }
    }

    private void complete(CommandSpec spec, List<String> path, String what, String description) {
        script.append("complete -c postern -n '")
                .append(condition(spec, path))
                .append("' ")
                .append(what);
        script.append(" -d '")
                .append(description.replace("\\", "\\\\").replace("'", "\\'"))
                .append("'\n");
    }

    private static String condition(CommandSpec spec, List<String> path) {
        var seen = new StringBuilder();
        for (var word : path) {
            seen.append(seen.isEmpty() ? "" : "; and ")
                    .append("__fish_seen_subcommand_from ")
                    .append(word);
        }
        var below = new StringBuilder();
        spec.subcommands().forEach((name, child) -> {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                below.append(below.isEmpty() ? "" : " ").append(name);
            }
        });
        if (!below.isEmpty()) {
            seen.append(seen.isEmpty() ? "" : "; and ")
                    .append("not __fish_seen_subcommand_from ")
                    .append(below);
        }
        return seen.toString();
    }

    private static String names(OptionSpec option) {
        var names = new StringBuilder();
        for (var name : option.names()) {
            names.append(names.isEmpty() ? "" : " ")
                    .append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
        }
        return names + (option.arity().max() > 0 ? " -rF" : "");
    }

    private static String first(String[] description) {
        return description.length == 0 ? "" : description[0];
    }
}
