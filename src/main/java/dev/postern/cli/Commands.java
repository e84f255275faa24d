package dev.postern.cli;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The tree of commands for Picocli. A command's class is loaded when its word stands on the command line, or
/// when the whole tree is to be shown.
final class Commands {
    private static final String ROOT = "postern";
    private static final int NARROW = 60;
    private static final int BROAD = 110;
    private static final int UNKNOWN_WIDTH = 100;

    private Commands() {}

    /// The commands whose words are among `words`, ready to parse them.
    static CommandLine mentionedIn(Collection<String> words) {
        return line(words, 0);
    }

    /// Every command, for help as wide as `width` columns, 0 when that is not known.
    static CommandLine all(int width) {
        return line(null, width);
    }

    private static CommandLine line(@Nullable Collection<String> words, int width) {
        var root = CommandSpec.create().name(ROOT);
        root.usageMessage()
                .description("Runs tools of MCP servers under a policy that you can read.")
                .footer("", "Start with `postern quickstart`: it needs no configuration and leaves nothing behind.")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes());
        for (var name : CommandName.values()) {
            boolean named = isAmong(words, name.word());
            if (!name.group().isEmpty() && (named || isAmong(words, name.group()))) {
                var group = group(root, name.group());
                if (named) {
                    group.addSubcommand(name.word(), name.command().spec());
                }
            } else if (named) {
                root.addSubcommand(name.word(), name.command().spec());
            }
        }
        Shapes.addGlobalOptions(root);
        root.addOption(versionOption());
        return new CommandLine(root)
                .setExpandAtFiles(false)
                .setInterpolateVariables(false)
                .setAllowOptionsAsOptionParameters(false)
                .setAllowSubcommandsAsOptionParameters(true)
                .setUsageHelpWidth(width == 0 ? UNKNOWN_WIDTH : Math.clamp(width, NARROW, BROAD));
    }

    private static boolean isAmong(@Nullable Collection<String> words, String word) {
        return words == null || words.contains(word);
    }

    private static CommandSpec group(CommandSpec root, String name) {
        var known = root.subcommands().get(name);
        if (known != null) {
            return known.getCommandSpec();
        }
        var spec = CommandSpec.create().name(name);
        spec.usageMessage()
                .description(
                        switch (name) {
                            case "mcp" -> "Look at MCP servers and their tools.";
                            case "chat" -> "Talk with a model that uses the allowed tools.";
                            case "runs" -> "Look at what runs and ran, answer its questions, drop what is old.";
                            case "calls" -> "Look at single calls of tools.";
                            case "config" -> "Check config.json, or print its JSON Schema.";
                            case "worker" ->
                                "Run the worker: one process that owns the data directory and its servers.";
                            case "credential" -> "Keep secrets for servers in protected files.";
                            default -> throw new IllegalArgumentException("a group without a description: " + name);
                        });
        root.addSubcommand(name, spec);
        return spec;
    }

    private static OptionSpec versionOption() {
        return OptionSpec.builder("-V", "--version")
                .arity("0")
                .type(boolean.class)
                .versionHelp(true)
                .description("Print the version.")
                .build();
    }

    private static Map<String, String> exitCodes() {
        var codes = new LinkedHashMap<String, String>();
        codes.put("0", "done");
        codes.put("1", "a fault of Postern, a full disk, a damaged database, or `doctor` with findings");
        codes.put("2", "wrong usage");
        codes.put("3", "the configuration or the data directory is not acceptable");
        codes.put("4", "the server is not available; nothing was sent");
        codes.put("5", "the tool answered an error");
        codes.put("6", "unknown: sent, but no valid answer came; the tool may have done it");
        codes.put("7", "refused by policy, schema or a limit, nothing was sent; or a run that ended at its limit");
        codes.put("8", "the worker does not run, can't be reached, or speaks another version");
        codes.put("9", "the model: none is configured, or no whole answer came from it");
        codes.put("130", "cancelled");
        return codes;
    }
}
