package dev.postern.process;

import dev.postern.base.Answer;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.natives.Adoption;
import dev.postern.natives.OwnEnvironment;
import dev.postern.process.Attempt.Trace;
import dev.postern.process.Containment.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Starts servers, each on a launch thread of its own, in the strongest containment that works here, and remembers
/// which does not. One for the whole host; safe for use by many threads.
public final class Launcher {
    private final Containers containers;
    private final Kind strongest;
    private final @Nullable Premises premises;
    private final Object sweeping = new Object();
    private @Nullable List<Sweep.Remains> swept;

    /// One without a data directory: it writes nothing down, hides nothing and sweeps nothing.
    public Launcher() {
        this(Toolbox.system(), Kind.BWRAP);
    }

    /// @param strongest the first kind to try
    public Launcher(Toolbox tools, Kind strongest) {
        this(tools, strongest, null);
    }

    /// @param premises the data directory, null for none
    public Launcher(Toolbox tools, Kind strongest, @Nullable Premises premises) {
        this.containers = new Containers(tools);
        this.strongest = strongest;
        this.premises = premises;
    }

    public sealed interface Launch {
        record Started(Instance instance) implements Launch {}

        record Failed(Problem problem) implements Launch {}
    }

    /// Starts the server and returns when its own program runs, or has ended already, or can't be started. What
    /// the operating system can't start until `deadline` is killed as soon as it appears.
    ///
    /// @param writeLimit how long the server may leave one message unread before it is killed
    public Launch launch(LaunchSpec spec, InstanceListener listener, Duration writeLimit, Deadline deadline) {
        var answer = new CompletableFuture<Launch>();
        Threads.platform(threadName(spec, "launch"), () -> own(spec, listener, writeLimit, answer));
        try {
            return answer.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Launch.Failed(tooSlow(spec, answer, deadline));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Launch.Failed(tooSlow(spec, answer, deadline));
        } catch (ExecutionException e) {
            return new Launch.Failed(fault(spec, e));
        }
    }

    /// The containment that works here, found out with a harmless program. Takes some milliseconds; for `doctor`.
    public Containment probe() {
        while (true) {
            SpawnChain chain = containers.choose(strongest, List.of(), View.OF_EVERYTHING);
            if (chain.kind() == Kind.NONE || works(chain)) {
                return containers.describe(chain.kind());
            }
        }
    }

    /// The containment that the next server will be started in first, as far as files and kernel settings tell.
    /// Starts no process: only a start shows whether it works.
    public Containment outlook() {
        return containers.describe(
                containers.choose(strongest, List.of(), View.OF_EVERYTHING).kind());
    }

    /// What was found of hosts that were killed, and ended, before the first server was started; empty before.
    public List<Sweep.Remains> swept() {
        synchronized (sweeping) {
            return swept == null ? List.of() : swept;
        }
    }

    /// Once, whoever is first to start a server; all others wait for it.
    private void sweep() {
        if (premises != null) {
            synchronized (sweeping) {
                if (swept == null) {
                    swept = new Sweep(new RunLedger(premises)).sweep();
                }
            }
        }
    }

    static String threadName(LaunchSpec spec, String role) {
        return "postern-" + spec.server() + "-" + role;
    }

    private static Problem tooSlow(LaunchSpec spec, CompletableFuture<Launch> answer, Deadline deadline) {
        var _ = answer.thenAccept(late -> {
            if (late instanceof Launch.Started started) {
                started.instance().beginStop(Deadline.after(Duration.ZERO, Timeout.CLOSE));
            }
        });
        return new Problem(
                ErrorCode.START_SPAWN,
                "The operating system did not start the program of server \"" + spec.server() + "\" within "
                        + deadline.describe() + ".",
                "Check that its directory is on a file system that answers. " + deadline.howToRaise());
    }

    /// The work of the launch thread, from the search for the program, which may be on a file system that hangs,
    /// to the end of the process. The kernel ties parent-death signals to this very thread: it must not end before
    /// the process.
    private void own(
            LaunchSpec spec, InstanceListener listener, Duration writeLimit, CompletableFuture<Launch> answer) {
        try {
            sweep();
            switch (new CommandLookup(spec).find()) {
                case CommandLookup.Answer.Found found -> own(spec, found.program(), listener, writeLimit, answer);
                case CommandLookup.Answer.Not not -> answer.complete(new Launch.Failed(not.problem()));
            }
        } catch (Throwable fault) {
            answer.complete(new Launch.Failed(fault(spec, fault)));
        }
    }

    private void own(
            LaunchSpec spec,
            Path program,
            InstanceListener listener,
            Duration writeLimit,
            CompletableFuture<Launch> answer) {
        List<String> target = new ArrayList<>();
        target.add(program.toString());
        target.addAll(spec.args());
        Attempt attempt;
        try {
            attempt = start(spec, target);
        } catch (IOException e) {
            answer.complete(new Launch.Failed(notStarted(spec, program.toString(), reason(e))));
            return;
        } catch (Refused refused) {
            answer.complete(new Launch.Failed(refused.problem));
            return;
        }
        Instance instance;
        try {
            instance = new Instance(spec, attempt, containers.describe(attempt.kind()), listener, writeLimit);
        } catch (Throwable fault) {
            attempt.end();
            throw fault;
        }
        instance.own(() -> answer.complete(new Launch.Started(instance)));
    }

    /// Goes down the kinds of containment until one works. The server's own command runs at most once: the next
    /// kind is tried only where the same chain fails around a harmless program too.
    private Attempt start(LaunchSpec spec, List<String> target) throws IOException, Refused {
        View view = View.of(spec.cwd(), hidden());
        while (true) {
            SpawnChain chain = containers.choose(strongest, target, view);
            Attempt attempt = Attempt.start(spec, chain, prepare(spec, chain, view, target.getFirst()));
            try {
                String complaint = attempt.complaint();
                if (complaint == null) {
                    return attempt;
                }
                if (works(chain)) {
                    if (complaint.contains(target.getFirst())) {
                        throw new IOException(complaint);
                    }
                    return attempt;
                }
            } catch (IOException | RuntimeException | Error fault) {
                attempt.end();
                throw fault;
            }
            attempt.end();
        }
    }

    /// The data directory, made where it is missing: what appears later would not be hidden.
    private @Nullable Path hidden() {
        if (premises == null) {
            return null;
        }
        var _ = premises.makeRun();
        return premises.directory();
    }

    /// What a kind of containment needs besides its chain. Where nothing but us would end the server, others must
    /// be able to find it, and it must not be able to read our environment. A namespace ends with us as soon as it
    /// stands; what we start before is written down too, as far as that can be done.
    private Trace prepare(LaunchSpec spec, SpawnChain chain, View view, String program) throws Refused {
        String marker = marker();
        boolean namespace = chain.kind().namespace();
        if (chain.kind() == Kind.BWRAP && view.hides(Path.of(program))) {
            throw new Refused(hiddenProgram(spec, program));
        }
        if (!namespace) {
            OwnEnvironment.overwrite();
        }
        if (chain.adopting()) {
            // Before the first process that could lose its parents.
            var _ = Adoption.inForce();
        }
        if (premises == null) {
            return new Trace(marker, null);
        }
        return switch (new RunLedger(premises).begin(spec.server(), marker)) {
            case Answer.Here<RunLedger.Entry> entry -> new Trace(marker, entry.value());
            case Answer.Not<RunLedger.Entry> not -> {
                if (!namespace) {
                    throw new Refused(not.problem());
                }
                yield new Trace(marker, null);
            }
        };
    }

    /// A server that is not to be started.
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        Refused(Problem problem) {
            super(problem.message());
            this.problem = problem;
        }
    }

    private static Problem hiddenProgram(LaunchSpec spec, String program) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The program of server \"" + spec.server() + "\", " + program
                        + ", lies in Postern's data directory, which servers can't see.",
                "Move it elsewhere, or give the server a directory of its own there and name it as cwd in"
                        + " config.json.");
    }

    /// Tries the chain around a harmless program, and takes note when it fails. Without such a program nothing is
    /// known against the chain.
    private boolean works(SpawnChain chain) {
        String harmless = containers.harmless();
        if (harmless == null) {
            return true;
        }
        try {
            String complaint = Attempt.probe(chain.around(List.of(harmless)));
            if (complaint == null) {
                return true;
            }
            containers.broken(chain.kind(), complaint);
        } catch (IOException e) {
            containers.broken(chain.kind(), reason(e));
        }
        return false;
    }

    private static Problem fault(LaunchSpec spec, Throwable fault) {
        return new Problem(
                ErrorCode.INTERNAL,
                "Server \"" + spec.server() + "\" could not be started: "
                        + fault.getClass().getSimpleName() + ".",
                "This is a fault of Postern, or the machine is out of memory or threads; if it is not, please report"
                        + " it.");
    }

    /// Unique, not secret: a server that forged another's would only be ended with it.
    private static String marker() {
        var random = ThreadLocalRandom.current();
        return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    }

    private static Problem notStarted(LaunchSpec spec, String program, String why) {
        return new Problem(
                ErrorCode.START_SPAWN,
                "The program of server \"" + spec.server() + "\", " + program + ", could not be started: " + why + ".",
                remedy(why));
    }

    private static String remedy(String why) {
        if (why.contains("Too many open files")) {
            return "Raise the number of files that a process may open (`ulimit -n`), and try again.";
        }
        if (why.contains("Resource temporarily unavailable")) {
            return "Raise the number of processes and threads of this user (`ulimit -u`), or end some, and try again.";
        }
        return "Start it by hand to see whether it runs on this machine; a script needs its interpreter in the first"
                + " line.";
    }

    /// The system's own words. The JDK puts `error=8, ` or `Exec failed, error: 8 (…) ` around them, and
    /// sometimes
    /// guesses of its own on further lines.
    private static String reason(IOException e) {
        String message =
                String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
        int at = message.lastIndexOf(": ");
        String last = at < 0 ? message : message.substring(at + 2);
        int comma = last.startsWith("error=") ? last.indexOf(", ") : -1;
        String words = comma < 0 ? last : last.substring(comma + 2);
        int open = words.indexOf(" (");
        boolean numbered =
                open > 0 && words.endsWith(")") && words.chars().limit(open).allMatch(Character::isDigit);
        return numbered ? words.substring(open + 2, words.length() - 1) : words;
    }
}
