package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.natives.DirectSignals;
import dev.postern.natives.ProcessTable;
import dev.postern.process.Containment.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One try to start a server through one chain: over when the server's own program runs, or something has ended
/// before. Confined to the launch thread, but for the thread that drains standard error from the first moment.
final class Attempt {
    /// A chain takes some ten milliseconds. What takes this long is waited for no more, only watched less well.
    private static final Duration SETTLE = Duration.ofSeconds(2);

    private static final Duration DRAIN = Duration.ofMillis(500);
    private static final int COMPLAINT_BYTES = 4_096;

    /// Statuses above tell by which signal something was ended.
    private static final int SIGNALLED = 128;

    private final SpawnChain chain;
    private final Process process;
    private final StderrTail stderr = new StderrTail();
    private final Thread drainer;
    private final Descent descent;
    private final boolean guarded;
    private final ProcessTree tree;

    private Attempt(SpawnChain chain, Process process, String drainerName, Trace trace, Reserve reserve)
            throws IOException {
        this.chain = chain;
        this.process = process;
        this.drainer = Threads.platform(drainerName, () -> drain(process.getErrorStream(), stderr));
        this.descent = new Descent(chain, process);
        descent.settle(SETTLE);
        if (chain.kind().namespace() && descent.arrived()) {
            // From here on the kernel ends it with us.
            trace.remove();
        }
        this.guarded = trace.ward != null && trace.ward.guarded();
        this.tree = new ProcessTree(descent, trace, reserve);
    }

    /// What makes the instance known to others.
    ///
    /// @param marker the value of [LaunchSpec#MARKER]: unique, not secret
    /// @param entry in the run ledger, null where there is none
    /// @param ward of the guardian, null where none is needed
    record Trace(String marker, RunLedger.@Nullable Entry entry, Guardian.@Nullable Ward ward) {
        private void started(long pid, boolean session) {
            if (ward != null) {
                ward.over(pid);
            }
            if (entry != null) {
                entry.started(ProcessTable.find(pid), session);
            }
        }

        /// The process that was started has ended, whatever it leaves.
        void leaderEnded() {
            if (ward != null) {
                ward.close();
            }
        }

        /// Nothing is left of the instance.
        void remove() {
            leaderEnded();
            if (entry != null) {
                entry.remove();
            }
        }
    }

    /// A probe that says nothing for or against its chain.
    static final class NoAnswer extends IOException {
        private static final long serialVersionUID = 1;

        NoAnswer(String message) {
            super(message);
        }
    }

    static Attempt start(LaunchSpec spec, SpawnChain chain, Trace trace) throws IOException {
        var builder = new ProcessBuilder(chain.command());
        if (spec.cwd() != null) {
            builder.directory(spec.cwd().toFile());
        }
        var environment = builder.environment();
        environment.clear();
        environment.putAll(spec.environment());
        spec.secrets().forEach((name, secret) -> environment.put(name, secret.reveal()));
        environment.put(LaunchSpec.MARKER, trace.marker);
        Reserve reserve = null;
        Process process;
        try {
            reserve = new Reserve();
            process = Orphans.OF_THIS_PROCESS.start(builder);
        } catch (IOException | RuntimeException notStarted) {
            if (reserve != null) {
                reserve.close();
            }
            trace.remove();
            throw notStarted;
        }
        try {
            trace.started(process.pid(), chain.kind() != Kind.NONE);
            return new Attempt(chain, process, Launcher.threadName(spec, "stderr"), trace, reserve);
        } catch (Throwable fault) {
            // No thread to be had, perhaps. Nobody would know the process.
            reserve.close();
            process.destroyForcibly();
            if (process.isAlive()) {
                DirectSignals.kill(process.pid());
            }
            trace.leaderEnded();
            throw fault;
        }
    }

    /// Runs a chain around a harmless program.
    ///
    /// @return why it fails; null when it works, and when it did not say in time: a loaded machine is no proof
    ///     against a chain
    /// @throws NoAnswer when it came to no end of its own
    static @Nullable String probe(SpawnChain chain) throws IOException {
        var builder = new ProcessBuilder(chain.command());
        // With no variable at all it speaks as in the C locale, whatever the user's language is.
        builder.environment().clear();
        builder.redirectErrorStream(true);
        Process process = Orphans.OF_THIS_PROCESS.start(builder);
        process.getOutputStream().close();
        String output;
        try {
            if (!process.waitFor(SETTLE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return null;
            }
            output = new String(process.getInputStream().readNBytes(COMPLAINT_BYTES), StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new NoAnswer("it was interrupted");
        }
        if (process.exitValue() > SIGNALLED) {
            throw new NoAnswer("it " + new Exit(process.exitValue()).describe());
        }
        return process.exitValue() == 0 ? null : firstLine(output);
    }

    Kind kind() {
        return chain.kind();
    }

    /// Whether a guardian was told of it.
    boolean guarded() {
        return guarded;
    }

    Process process() {
        return process;
    }

    ProcessTree tree() {
        return tree;
    }

    StderrTail stderr() {
        return stderr;
    }

    Thread drainer() {
        return drainer;
    }

    /// What a program of the chain seems to have said before it ended: the server's program was not seen running,
    /// nothing came on standard output, and standard error begins with the name of a program of the chain. Null
    /// otherwise.
    @Nullable
    String complaint() {
        if (descent.arrived() || kind() == Kind.NONE || process.isAlive() || process.exitValue() == 0) {
            return null;
        }
        try {
            drainer.join(DRAIN);
            if (process.getInputStream().available() > 0) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Closed: nothing was there.
        }
        String line =
                stderr.total() > COMPLAINT_BYTES ? "" : firstLine(stderr.tail().text());
        return chain.complained(line) ? line : null;
    }

    /// Kills everything of it: nobody will own it.
    void end() {
        tree.release(tree.kill(Deadline.after(SETTLE, Timeout.CLOSE)));
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    /// The work of the draining thread (PRC-1): a server whose standard error is full would stand still.
    private static void drain(InputStream in, StderrTail tail) {
        byte[] buffer = new byte[16_384];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                tail.add(buffer, count);
            }
        } catch (IOException e) {
            // As good as its end.
        }
    }
}
