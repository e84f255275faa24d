package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Hints;
import dev.postern.base.Problem;
import dev.postern.base.Version;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Streams;
import dev.postern.cli.render.Terminal;
import dev.postern.datadir.DataDirectory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command line: takes the words after `postern`, writes to the streams it is given, and answers with an
/// exit code. Ends no process, reads no environment, and never throws.
public final class Cli {
    /// What the JDK makes of bytes that are not UTF-8: they are lost by then.
    private static final char UNDECODABLE = '\uFFFD';

    /// Answered without loading Picocli.
    private static final List<String> JUST_VERSION = List.of("--version");

    private final Streams streams;
    private final Terminal terminal;
    private final Services services;
    private final Cancellation cancellation;
    private final @Nullable Forwarding forwarding;
    private final Leftovers leftovers = new Leftovers();

    /// @param cancellation requested by the first Ctrl-C, SIGTERM or SIGHUP
    public Cli(Streams streams, Terminal terminal, Services services, Cancellation cancellation) {
        this(streams, terminal, services, cancellation, null);
    }

    /// A command line that came from a client: whatever the words say, only what `forwarding` takes is run.
    public Cli(
            Streams streams,
            Terminal terminal,
            Services services,
            Cancellation cancellation,
            @Nullable Forwarding forwarding) {
        this.streams = streams;
        this.terminal = terminal;
        this.services = services;
        this.cancellation = cancellation;
        this.forwarding = forwarding;
    }

    /// Runs one command and returns its exit code when all its output has been written (CLI-6).
    public int run(List<String> words) {
        var console = new Console(streams, terminal, wantsJson(words), text -> hint(words, text));
        int code;
        try {
            code = answer(words, console);
        } catch (RuntimeException | Error e) {
            code = fault(console, e);
        } finally {
            leftovers.tidyUp();
        }
        console.out().flush();
        var lost = console.out().failure();
        if (lost != null) {
            console.tell(new Problem(
                    ErrorCode.STORAGE_UNWRITABLE,
                    "Standard output could not be written to the end: " + lost + ".",
                    "What was written is incomplete."));
            code = code == ExitCode.DONE ? ExitCode.INTERNAL : code;
        }
        console.err().flush();
        return code;
    }

    /// Removes what a running command would leave behind; for a process that ends without waiting for it.
    public void abandon() {
        leftovers.tidyUp();
    }

    private int answer(List<String> words, Console console) {
        if (words.equals(JUST_VERSION)) {
            return version(console);
        }
        if (words.stream().anyMatch(word -> word.indexOf(UNDECODABLE) >= 0)) {
            var problem = new Problem(
                    ErrorCode.USAGE,
                    "The command line has bytes that are not UTF-8, or the character U+FFFD that stands for such.",
                    "Give them in another way: call takes JSON from a file with -i, exec its text from standard input with"
                            + " --prompt -.");
            console.problem(problem);
            return ExitCode.of(problem);
        }
        var plain = PlainLine.of(words);
        if (plain == null) {
            return new Dispatcher(console, services, cancellation, leftovers, forwarding).run(words);
        }
        if (forwarding != null && !forwarding.takes(plain.name())) {
            return notTaken(console);
        }
        return plain.name()
                .command()
                .run(plain, new Session(console, services, cancellation, leftovers, plain.dataDir()));
    }

    static int notTaken(Console console) {
        var problem = new Problem(
                ErrorCode.WORKER_REFUSED,
                "The worker does not run this command for others.",
                "Run it without the worker: with POSTERN_MCP_SERVERS or POSTERN_TOOL_BYTES set, or after `postern worker"
                        + " stop`.");
        console.problem(problem);
        return ExitCode.of(problem);
    }

    static int version(Console console) {
        if (console.json()) {
            console.json(JsonNodeFactory.instance.objectNode().put("version", Version.TEXT));
        } else {
            console.out().line("postern " + Version.TEXT);
        }
        return ExitCode.DONE;
    }

    private static boolean wantsJson(List<String> words) {
        return options(words).contains(Shapes.JSON);
    }

    private static List<String> options(List<String> words) {
        int end = words.indexOf("--");
        return end < 0 ? words : words.subList(0, end);
    }

    /// A command to copy names the data directory, unless it would find this one by itself.
    private String hint(List<String> words, String text) {
        var chosen = chosen(options(words));
        return services.dataDirectory(chosen) instanceof Answer.Here<DataDirectory>(DataDirectory directory)
                        && (chosen != null || !services.usual(directory))
                ? Hints.in(directory.path().toString(), text)
                : text;
    }

    /// The last value of `--data-dir`, also on a command line that is wrong otherwise.
    private static @Nullable String chosen(List<String> words) {
        @Nullable String value = null;
        for (int at = 0; at < words.size(); at++) {
            var word = words.get(at);
            if (word.equals(Shapes.DATA_DIR) && at + 1 < words.size()) {
                at++;
                value = words.get(at);
            } else if (word.startsWith(Shapes.DATA_DIR + "=")) {
                value = word.substring(Shapes.DATA_DIR.length() + 1);
            }
        }
        return value;
    }

    /// A fault of ours: one line that helps to report it, no stack trace. The exception's message is left out: it
    /// may repeat what was being worked on, a secret included (SEC-5).
    private static int fault(Console console, Throwable fault) {
        var place = "";
        for (var frame : fault.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.postern.")) {
                place = " at " + frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
                break;
            }
        }
        console.problem(new Problem(
                ErrorCode.INTERNAL,
                "Postern failed: " + fault.getClass().getSimpleName() + place + ".",
                "This is a fault of Postern, not of yours; please report it with this line and the command."));
        return ExitCode.INTERNAL;
    }
}
