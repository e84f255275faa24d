package dev.postern.process;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the program that a command means, the way the child's own environment would (SRV-2).
public final class CommandLookup {
    /// Where a child without `PATH` would look.
    static final String STANDARD_PATH = "/usr/bin:/bin";

    /// Every program has a NUL in its first bytes; no script that was meant to be read has one.
    private static final int HEAD = 256;

    private final LaunchSpec spec;
    private final Path base;

    public CommandLookup(LaunchSpec spec) {
        this.spec = spec;
        this.base =
                spec.cwd() == null ? Path.of("").toAbsolutePath() : spec.cwd().toAbsolutePath();
    }

    /// The program, or why there is none.
    public sealed interface Answer {
        record Found(Path program) implements Answer {}

        record Not(Problem problem) implements Answer {}
    }

    /// Looks the command up now; starts nothing.
    public Answer find() {
        Problem unusable = text();
        if (unusable == null && spec.cwd() != null) {
            unusable = directory(spec.cwd());
        }
        if (unusable != null) {
            return new Answer.Not(unusable);
        }
        return spec.command().contains("/") ? file(base.resolve(spec.command())) : onPath();
    }

    /// No argument or variable of a process can hold NUL, and no name of a variable `=`. The JDK's own message
    /// would show the value.
    private @Nullable Problem text() {
        if (spec.command().isEmpty()) {
            return spawn("has an empty command", "Write the program to start as command in config.json.");
        }
        if (spec.command().indexOf('\0') >= 0 || spec.args().stream().anyMatch(arg -> arg.indexOf('\0') >= 0)) {
            return spawn("has a NUL character in command or args", "Remove it from config.json.");
        }
        if (path(spec.command()) == null) {
            return spawn(
                    "has a command that can't be the name of a file here",
                    "Correct command in config.json, or run Postern in a UTF-8 locale.");
        }
        Problem bad = null;
        for (var variable : spec.environment().entrySet()) {
            bad = bad == null ? variable(variable.getKey(), variable.getValue()) : bad;
        }
        for (var variable : spec.secrets().entrySet()) {
            bad = bad == null ? variable(variable.getKey(), variable.getValue().reveal()) : bad;
        }
        return bad;
    }

    private @Nullable Problem variable(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            return spawn(
                    "has a variable name that is empty or contains = or NUL",
                    "Correct the names under environment in config.json.");
        }
        if (value.indexOf('\0') >= 0) {
            return spawn(
                    "can't be given the variable " + name + ": its value contains a NUL character",
                    "Correct the value that its reference leads to.");
        }
        return null;
    }

    private @Nullable Problem directory(Path cwd) {
        String next = "Create it, or correct cwd in config.json.";
        if (!Files.exists(cwd)) {
            return spawn("can't be started in " + cwd + ": there is no such directory", next);
        }
        if (!Files.isDirectory(cwd)) {
            return spawn("can't be started in " + cwd + ": that is not a directory", next);
        }
        if (!Files.isExecutable(cwd)) {
            return spawn(
                    "can't be started in " + cwd + ": no permission to enter that directory",
                    "Give yourself the permission (chmod u+x), or correct cwd in config.json.");
        }
        return null;
    }

    private Answer file(Path path) {
        String next = "Correct command in config.json, or install the program there.";
        if (!Files.exists(path)) {
            return new Answer.Not(new Problem(
                    ErrorCode.START_COMMAND_NOT_FOUND,
                    "The command of server \"" + spec.server() + "\" does not exist: " + path + ".",
                    next));
        }
        if (Files.isDirectory(path)) {
            return new Answer.Not(spawn("has a directory as its command: " + path, next));
        }
        if (!Files.isExecutable(path)) {
            return new Answer.Not(spawn(
                    "has a command that may not be executed: " + path,
                    "Make it executable: chmod +x " + path + ", or start its interpreter as the command."));
        }
        return program(path);
    }

    /// The kernel runs programs, and scripts that name their interpreter. Any other text makes the C library, the
    /// JDK and bubblewrap start a shell with it, and there is to be no shell anywhere (SRV-2).
    private Answer program(Path path) {
        if (!Files.isRegularFile(path)) {
            return new Answer.Not(
                    spawn("has a command that is not a file: " + path, "Correct command in config.json."));
        }
        byte[] head;
        try (var in = Files.newInputStream(path)) {
            head = in.readNBytes(HEAD);
        } catch (IOException unreadable) {
            return new Answer.Found(path);
        }
        boolean script = head.length > 1 && head[0] == '#' && head[1] == '!';
        boolean binary = false;
        for (byte each : head) {
            binary |= each == 0;
        }
        return script || binary
                ? new Answer.Found(path)
                : new Answer.Not(spawn(
                        "has a command that is neither a program nor a script with an interpreter: " + path,
                        "Give the script a first line such as #!/usr/bin/env node, or start its interpreter as the"
                                + " command."));
    }

    private Answer onPath() {
        String path = spec.environment().get("PATH");
        List<String> searched = new ArrayList<>();
        Path unusable = null;
        for (String directory : (path == null ? STANDARD_PATH : path).split(":", -1)) {
            // An empty entry is the working directory, as everywhere.
            Path entry = path(directory);
            if (entry == null) {
                continue;
            }
            Path candidate = base.resolve(entry).resolve(spec.command());
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return program(candidate);
            }
            if (Files.isRegularFile(candidate)) {
                unusable = candidate;
            }
            String name = directory.isEmpty() ? base.toString() : directory;
            if (!searched.contains(name)) {
                searched.add(name);
            }
        }
        return new Answer.Not(new Problem(
                ErrorCode.START_COMMAND_NOT_FOUND,
                "The command \"" + spec.command() + "\" of server \"" + spec.server() + "\" was not found in "
                        + String.join(", ", searched) + (path == null ? " (no PATH is set)" : "")
                        + (unusable == null ? "" : "; " + unusable + " may not be executed") + ".",
                "Install it, add its directory to PATH, or write its full path as command in config.json."));
    }

    /// Null for a text that no file's name can spell in this locale.
    private static @Nullable Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private Problem spawn(String what, String next) {
        return new Problem(ErrorCode.START_SPAWN, "Server \"" + spec.server() + "\" " + what + ".", next);
    }
}
