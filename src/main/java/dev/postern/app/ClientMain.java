package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Hints;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import dev.postern.base.Threads;
import dev.postern.control.Client;
import dev.postern.control.OwnStreams;
import dev.postern.control.RunRequest;
import dev.postern.datadir.DataDirectory;
import dev.postern.wire.StrictJson;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Where the program starts when the launcher has found a worker: forwards the command line and does nothing
/// else. What the worker does not take, and everything when nobody listens, is run here as ever.
public final class ClientMain {
    private static final int WORKER = 8;
    private static final int CANCELLED = 130;
    private static final int LOCALLY = -1;

    private static final String DATA_DIR = "--data-dir";

    /// Within which a worker that is not stuck takes a command.
    private static final Duration TAKEN = Duration.ofSeconds(10);

    /// After Ctrl-C the worker settles the command; it takes no longer than stopping servers would.
    private static final int PATIENCE_SECONDS = 40;

    private ClientMain() {}

    /// Ends the process with the command's exit code.
    public static void main(String... args) {
        int code = forward(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                List.of(args));
        if (code == LOCALLY) {
            Main.main(args);
        } else {
            Runtime.getRuntime().halt(code);
        }
    }

    /// Forwards one command line.
    ///
    /// @return the exit code, or [#LOCALLY]
    static int forward(FileInputStream in, OutputStream out, OutputStream err, List<String> words) {
        var dataDir = Path.of(System.getProperty("postern.data-dir", "")).toAbsolutePath();
        try (var client = Client.connect(dataDir.resolve("run"), TAKEN)) {
            if (client == null) {
                return LOCALLY;
            }
            var ending = new Forwarded(client);
            ending.watch();
            var streams = new OwnStreams(in, out, err);
            var end = client.run(request(words, dataDir), streams);
            int code = end.local() ? LOCALLY : end.code();
            var problem = end.vanished() ? vanished(words) : unsure(end.problem(), words);
            if (problem != null) {
                code = tell(completed(problem, words, dataDir), words, streams, out, err);
            }
            ending.ended(code);
            return code;
        }
    }

    private static RunRequest request(List<String> words, Path dataDir) {
        var noColour = System.getenv("NO_COLOR");
        return new RunRequest(
                words,
                Path.of("").toAbsolutePath(),
                dataDir,
                SystemTerminal.width(System.getProperty("postern.columns", "")),
                System.getProperty("postern.terminal", ""),
                (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM")));
    }

    /// What neither runs nor refuses a call may have made it.
    private static @Nullable Problem unsure(@Nullable Problem problem, List<String> words) {
        return problem != null && (problem.code() == ErrorCode.WORKER_FAILED || problem.code() == ErrorCode.INTERNAL)
                ? new Problem(problem.code(), problem.message(), ofCall(words) + problem.next())
                : problem;
    }

    private static Problem vanished(List<String> words) {
        return new Problem(
                ErrorCode.WORKER_ENDED,
                "The worker ended in the middle of this command.",
                ofCall(words) + "`" + command("worker logs", words) + "` may tell why; `"
                        + command("worker start", words) + "` starts it again.");
    }

    /// Each call is recorded before it is sent (CAL-4): the records know what nobody else does by now.
    private static String ofCall(List<String> words) {
        if (words.contains("call")) {
            return "The tool may have been called: `" + command("runs list", words)
                    + "` shows this call if it was sent, and how it ended; an `unknown` one may have done it: check first."
                    + " If it is not listed, nothing was sent. ";
        }
        boolean run = words.contains("exec")
                || (words.contains("chat") && (words.contains("new") || words.contains("continue")));
        return run
                ? "Tools may have been called: `" + command("runs list", words) + "` shows the run, and `"
                        + command("runs show", words)
                        + "` with its id each call that was sent, and how it ended; an `unknown` one may have done it:"
                        + " check first. "
                : "";
    }

    /// A command for the same data directory.
    private static String command(String words, List<String> given) {
        for (int at = 0; at < given.size() && !given.get(at).equals("--"); at++) {
            var word = given.get(at);
            if (word.startsWith(DATA_DIR + "=")) {
                return "postern " + DATA_DIR + " " + ShellText.quoted(word.substring(DATA_DIR.length() + 1)) + " "
                        + words;
            }
            if (word.equals(DATA_DIR) && at + 1 < given.size()) {
                return "postern " + DATA_DIR + " " + ShellText.quoted(given.get(at + 1)) + " " + words;
            }
        }
        return "postern " + words;
    }

    /// A command to copy names the data directory where this one did, or its environment.
    private static Problem completed(Problem problem, List<String> words, Path dataDir) {
        boolean named = System.getenv(DataDirectory.VARIABLE) != null
                || words.stream().anyMatch(word -> word.equals("--data-dir") || word.startsWith("--data-dir="));
        return named
                ? new Problem(problem.code(), problem.message(), Hints.in(dataDir.toString(), problem.next()))
                : problem;
    }

    /// As any command tells a problem.
    private static int tell(
            Problem problem, List<String> words, OwnStreams streams, OutputStream out, OutputStream err) {
        int end = words.indexOf("--");
        boolean json = (end < 0 ? words : words.subList(0, end)).contains("--json") && !streams.wrote();
        try {
            if (json) {
                var object = JsonNodeFactory.instance.objectNode();
                object.putObject("error")
                        .put("code", problem.code().code())
                        .put("message", problem.message())
                        .put("next", problem.next());
                out.write((StrictJson.text(object) + "\n").getBytes(StandardCharsets.UTF_8));
            } else {
                err.write(("error: " + problem.message() + "\n  " + problem.next() + "\n")
                        .getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException nobodyReads) {
            // The exit code says it too.
        }
        return WORKER;
    }

    /// What becomes of a signal: the worker is asked to cancel the command, whose exit code is the process's.
    private static final class Forwarded {
        private final Client client;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile int code = CANCELLED;

        Forwarded(Client client) {
            this.client = client;
        }

        void watch() {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("postern-ending").unstarted(this::leave));
        }

        void ended(int exitCode) {
            code = exitCode;
            ended.countDown();
        }

        private void leave() {
            if (ended.getCount() == 0) {
                return;
            }
            // A second one waits for nothing; the worker hears that its client has gone.
            Signals.handle(() -> Runtime.getRuntime().halt(CANCELLED));
            // A worker that does not read must not hold up the end.
            var _ = Threads.platform("client-cancel", client::cancel);
            try {
                var _ = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // Nobody has a reason to; leave now.
            }
            Runtime.getRuntime().halt(code == LOCALLY ? CANCELLED : code);
        }
    }
}
