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
import dev.postern.process.Procfs.Unreadable;
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
    private final Guardian guardian;
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
        this.guardian = new Guardian(tools);
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
            return new Launch.Failed(LaunchProblems.fault(spec, e));
        }
    }

    /// The containment that works here, found out with a harmless program. Takes some milliseconds; for `doctor`.
    public Containment probe() {
        while (true) {
            Kind kind = strongest;
            try {
                SpawnChain chain = containers.choose(strongest, List.of(), View.OF_EVERYTHING);
                kind = chain.kind();
                if (chain.kind() == Kind.NONE || works(chain)) {
                    return containers.describe(chain.kind(), guardian.available());
                }
            } catch (IOException scarcity) {
                // Nothing is known against it.
                return containers.describe(kind, guardian.available());
            }
        }
    }

    /// The containment that the next server will be started in first, as far as files and kernel settings tell.
    /// Starts no process: only a start shows whether it works.
    public Containment outlook() {
        Kind kind = strongest;
        try {
            kind = containers.choose(strongest, List.of(), View.OF_EVERYTHING).kind();
        } catch (Unreadable scarcity) {
            // A start will tell.
        }
        return containers.describe(kind, guardian.available());
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
            answer.complete(new Launch.Failed(LaunchProblems.fault(spec, fault)));
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
            answer.complete(new Launch.Failed(LaunchProblems.notStarted(spec, program.toString(), e)));
            return;
        } catch (Refused refused) {
            answer.complete(new Launch.Failed(refused.problem));
            return;
        }
        Instance instance;
        try {
            instance = new Instance(
                    spec, attempt, containers.describe(attempt.kind(), attempt.guarded()), listener, writeLimit);
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
        if (view.intrudes()) {
            throw new Refused(LaunchProblems.intruder(spec));
        }
        if (chain.kind() == Kind.BWRAP && view.hides(Path.of(program))) {
            throw new Refused(LaunchProblems.hiddenProgram(spec, program));
        }
        if (!namespace) {
            OwnEnvironment.overwrite();
        }
        if (chain.adopting()) {
            // Before the first process that could lose its parents.
            var _ = Adoption.inForce();
        }
        RunLedger.Entry entry = null;
        if (premises != null) {
            switch (new RunLedger(premises).begin(spec.server(), marker)) {
                case Answer.Here<RunLedger.Entry> here -> entry = here.value();
                case Answer.Not<RunLedger.Entry> not -> {
                    if (!namespace) {
                        throw new Refused(not.problem());
                    }
                }
            }
        }
        return new Trace(marker, entry, chain.kind() == Kind.SESSION ? guardian.ward() : null);
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

    /// Tries the chain around a harmless program, and takes note when it fails. Without such a program nothing is
    /// known against the chain.
    ///
    /// @throws IOException when it fails for want of something that may be there again in a moment: no reason to
    ///     start a server in weaker containment
    private boolean works(SpawnChain chain) throws IOException {
        String harmless = containers.harmless();
        if (harmless == null) {
            return true;
        }
        String complaint;
        try {
            complaint = Attempt.probe(chain.around(List.of(harmless)));
        } catch (Attempt.NoAnswer none) {
            throw none;
        } catch (IOException e) {
            if (LaunchProblems.lackOf(e) != null) {
                throw e;
            }
            complaint = LaunchProblems.reason(e);
        }
        if (complaint == null) {
            return true;
        }
        if (LaunchProblems.lackIn(complaint) != null) {
            throw new IOException(complaint);
        }
        containers.broken(chain.kind(), complaint);
        return false;
    }

    /// Unique, not secret: a server that forged another's would only be ended with it.
    private static String marker() {
        var random = ThreadLocalRandom.current();
        return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    }
}
