package dev.postern.config;

import dev.postern.base.Names;
import dev.postern.secret.SecretRef;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads what starts a server as a child process (SRV-2). Nothing here is ever shown in a message: a command
/// line is where people put secrets.
final class StdioReader {
    private final Findings findings;
    private final Path base;

    /// @param base the directory beside which relative paths resolve (CFG-4)
    StdioReader(Findings findings, Path base) {
        this.findings = findings;
        this.base = base;
    }

    @Nullable
    Launch read(Members entry, String id) {
        String command = command(entry, id);
        var args = args(entry, id);
        Path cwd = cwd(entry, id);
        var environment = environment(entry, id);
        return command == null || args == null ? null : new Launch.Stdio(command, args, cwd, environment);
    }

    private @Nullable String command(Members entry, String id) {
        var text = entry.text("command", entry.get("command"), "the name or path of a program, a string");
        var place = entry.place("command");
        if (text == null || !Strings.withoutNul(text, place, findings)) {
            return null;
        }
        String command = text.value();
        if (command.isBlank()) {
            findings.problem(place, text.at(), "\"command\" is empty", "the name or path of a program");
            return null;
        }
        warnOfSecret(text, place, id);
        int space = command.indexOf(' ');
        if (space >= 0 && command.lastIndexOf('/', space) < 0) {
            findings.warning(
                    place,
                    text.at(),
                    "\"command\" holds a space: it names one program and is no command line",
                    "Put each argument into \"args\".");
        }
        if (command.indexOf('/') < 0) {
            return command;
        }
        var path = path(text, place);
        return path == null ? null : path.toString();
    }

    private @Nullable List<String> args(Members entry, String id) {
        String expected = "an array of strings, [] for none";
        var array = entry.array("args", entry.required("args", expected), expected);
        if (array == null) {
            return null;
        }
        var place = entry.place("args");
        var texts = Strings.list(array, place, findings);
        if (texts == null) {
            return null;
        }
        var args = new ArrayList<String>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            var text = texts.get(i);
            if (Strings.withoutNul(text, place.index(i), findings)) {
                warnOfSecret(text, place.index(i), id);
                args.add(text.value());
            }
        }
        return args;
    }

    private @Nullable Path cwd(Members entry, String id) {
        var text = entry.text("cwd", entry.get("cwd"), "the path of a directory, a string");
        var place = entry.place("cwd");
        if (text == null || !Strings.withoutNul(text, place, findings)) {
            return null;
        }
        if (text.value().isBlank()) {
            findings.problem(place, text.at(), "\"cwd\" is empty", "the path of a directory, or no \"cwd\"");
            return null;
        }
        warnOfSecret(text, place, id);
        return path(text, place);
    }

    /// An absolute path. A leading `./` goes, for the sake of messages; `..` stays, since removing it would lead
    /// elsewhere where a link is on the way.
    private @Nullable Path path(Tree.Text text, Place place) {
        String written = text.value();
        if (written.startsWith("~/") || written.equals("~")) {
            findings.warning(
                    place,
                    text.at(),
                    "this path begins with ~, which no shell will replace",
                    "Write the whole path of the home directory.");
        }
        int from = 0;
        while (written.startsWith("./", from)) {
            from += 2;
        }
        try {
            String rest = written.substring(from);
            return rest.isEmpty() || rest.equals(".") ? base : base.resolve(rest);
        } catch (InvalidPathException e) {
            findings.problem(place, text.at(), "this is not a path on this system", "a path");
            return null;
        }
    }

    private SortedMap<String, SecretRef> environment(Members entry, String id) {
        var environment = new TreeMap<String, SecretRef>();
        String expected = "an object of names and references";
        var object = entry.object("environment", entry.get("environment"), expected);
        if (object == null) {
            return environment;
        }
        var place = entry.place("environment");
        var references = new ReferenceReader(findings);
        for (var member : Members.distinct(object, place, findings)) {
            var at = place.key(member.name());
            if (!Names.isVariable(member.name())) {
                findings.problem(
                        at,
                        member.at(),
                        "this is not a name of an environment variable",
                        "letters, digits and _, no digit first");
            }
            var reference = references.read(member.value(), at, "the variable's value", id);
            if (reference != null) {
                environment.put(member.name(), reference);
            }
        }
        return environment;
    }

    private void warnOfSecret(Tree.Text text, Place place, String id) {
        String kind = findings.secretKind(text.value());
        if (kind != null) {
            findings.warning(
                    place,
                    text.at(),
                    "this looks as if it held a secret (" + kind + ")",
                    "Everybody on this machine can read a command line. Run `postern credential set " + id
                            + "` and give it to the server with \"environment\": {\"NAME\": {\"credential\": \"" + id
                            + "\"}}.");
        }
    }
}
