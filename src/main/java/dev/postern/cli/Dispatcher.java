package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Nearest;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Finds the command that the words name and runs it. A word that fits nowhere is a usage error with the
/// nearest word that would (exit code 2); Picocli's exceptions end here.
final class Dispatcher {
    private final Console console;
    private final Services services;
    private final Cancellation cancellation;
    private final Leftovers leftovers;
    private final @Nullable Forwarding forwarding;

    /// @param forwarding what may be run, null for everything
    Dispatcher(
            Console console,
            Services services,
            Cancellation cancellation,
            Leftovers leftovers,
            @Nullable Forwarding forwarding) {
        this.console = console;
        this.services = services;
        this.cancellation = cancellation;
        this.leftovers = leftovers;
        this.forwarding = forwarding;
    }

    int run(List<String> given) {
        var words = helpAsOption(given);
        ParseResult root;
        try {
            root = Commands.mentionedIn(words).parseArgs(words.toArray(String[]::new));
        } catch (ParameterException e) {
            return usage(e);
        }
        if (root.isVersionHelpRequested()) {
            return Cli.version(console);
        }
        var line = root;
        while (line.hasSubcommand()) {
            if (line.isUsageHelpRequested()) {
                return help(line);
            }
            line = line.subcommand();
        }
        if (line.isUsageHelpRequested()) {
            return isCommandMissed(line) ? noSuchCommand(line.unmatched(), line.commandSpec()) : help(line);
        }
        if (!(line.commandSpec().userObject() instanceof Command command)) {
            return missingCommand(line);
        }
        if (forwarding != null && !taken(forwarding, line.commandSpec().qualifiedName())) {
            return Cli.notTaken(console);
        }
        return command.run(
                new ParsedLine(line), new Session(console, services, cancellation, leftovers, dataDir(root)));
    }

    private static boolean taken(Forwarding forwarding, String qualifiedName) {
        var words = List.of(qualifiedName.split(" ", -1));
        var name = CommandName.at(words.subList(1, words.size()));
        return name != null && forwarding.takes(name);
    }

    /// Help was asked for a command that does not exist.
    private static boolean isCommandMissed(ParseResult line) {
        return !(line.commandSpec().userObject() instanceof Command)
                && !line.unmatched().isEmpty()
                && !line.unmatched().getFirst().startsWith("-");
    }

    /// `help mcp tools` is `mcp tools --help`.
    private static List<String> helpAsOption(List<String> words) {
        int at = words.indexOf("help");
        for (int before = 0; before < at; before++) {
            if (!words.get(before).equals(Shapes.JSON)) {
                return words;
            }
        }
        if (at < 0) {
            return words;
        }
        var asked = new ArrayList<>(words);
        asked.set(at, "--help");
        asked.add(asked.remove(at));
        return asked;
    }

    /// As given to the command itself, else to the words before it.
    private static @Nullable String dataDir(ParseResult root) {
        @Nullable String value = null;
        for (ParseResult line = root; line != null; line = line.subcommand()) {
            value = line.matchedOptionValue(Shapes.DATA_DIR, value);
        }
        return value;
    }

    private int help(ParseResult line) {
        var text = helpOf(line.commandSpec().qualifiedName());
        if (console.json()) {
            console.json(JsonNodeFactory.instance.objectNode().put("help", text));
        } else {
            console.out().text(text);
        }
        return ExitCode.DONE;
    }

    private String helpOf(String qualifiedName) {
        var line = Commands.all(console.width());
        for (var name : qualifiedName.split(" ", -1)) {
            line = line.getSubcommands().getOrDefault(name, line);
        }
        var text = new StringWriter();
        line.usage(new PrintWriter(text), Ansi.OFF);
        return text.toString();
    }

    private int missingCommand(ParseResult line) {
        var name = line.commandSpec().qualifiedName();
        if (!console.json()) {
            console.err().text(helpOf(name)).end();
        }
        return fail(
                "A command is missing after `" + name + "`.",
                "Run `" + name + " COMMAND`, or `" + name + " COMMAND --help` to learn more.");
    }

    private int usage(ParameterException e) {
        var command = e.getCommandLine().getCommandSpec();
        var name = command.qualifiedName();
        var help = "`" + name + " --help` tells more.";
        if (command.userObject() instanceof CredentialSetCommand && e instanceof UnmatchedArgumentException) {
            // The word that does not fit may be the secret itself: it is not repeated.
            return fail(CredentialSetCommand.NOT_AN_ARGUMENT, help);
        }
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched, command, help);
            case OverwrittenOptionException twice ->
                fail(firstName(twice.getOverwritten()) + " is given twice.", "Give it once. " + help);
            case MissingParameterException missing -> fail(missing(missing), help);
            default -> fail(sentence(String.valueOf(e.getMessage())), help);
        };
    }

    private int unmatched(UnmatchedArgumentException e, CommandLine.Model.CommandSpec command, String help) {
        var word = e.getUnmatched().getFirst();
        if (e.isUnknownOption()) {
            var known = new ArrayList<String>();
            // One letter is near to every other.
            command.options().forEach(option -> known.add(option.longestName()));
            var bare = word.indexOf('=') > 0 ? word.substring(0, word.indexOf('=')) : word;
            return fail(
                    "There is no option " + bare + " for `" + command.qualifiedName() + "`.",
                    command.userObject() instanceof CallCommand && word.startsWith("--") && !bare.equals(word)
                            ? "Arguments of the tool are written without hyphens: " + word.substring(2) + ". " + help
                            : meant(Nearest.of(bare, known)) + help);
        }
        if (command.userObject() instanceof Command) {
            return fail("'" + word + "' is more than `" + command.qualifiedName() + "` takes.", help);
        }
        return noSuchCommand(e.getUnmatched(), command);
    }

    /// @param words what stands where a command of `group` is expected, and after it
    private int noSuchCommand(List<String> words, CommandLine.Model.CommandSpec group) {
        var name = group.qualifiedName();
        var nearest = CommandName.nearest(group.parent() == null ? "" : group.name(), words);
        return fail(
                words.getFirst().isEmpty()
                        ? "An empty word stands after `" + name + "`, where a command is expected."
                        : "There is no command `" + name + " " + words.getFirst() + "`.",
                meant(nearest == null ? null : "`postern " + nearest + "`") + "`" + name + " --help` tells more.");
    }

    private static String meant(@Nullable String nearest) {
        return nearest == null ? "" : "Did you mean " + nearest + "? ";
    }

    private static String missing(MissingParameterException e) {
        var arguments = e.getMissing();
        if (arguments.size() == 1 && arguments.getFirst().isOption()) {
            return firstName(arguments.getFirst()) + " needs a value ("
                    + arguments.getFirst().paramLabel() + ").";
        }
        var labels = new ArrayList<String>();
        arguments.forEach(argument -> labels.add(argument.paramLabel()));
        return String.join(" and ", labels) + (labels.size() == 1 ? " is" : " are") + " missing.";
    }

    private static String firstName(CommandLine.Model.ArgSpec argument) {
        return argument instanceof CommandLine.Model.OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String sentence(String message) {
        return message.endsWith(".") ? message : message + ".";
    }

    private int fail(String message, String next) {
        var problem = new Problem(ErrorCode.USAGE, message, next);
        console.problem(problem);
        return ExitCode.of(problem);
    }
}
