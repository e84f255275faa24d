package dev.postern.process;

import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Written;
import dev.postern.process.InstanceListener.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A running process of a server, and everything that descends from it. Its four threads end with it. Safe for use
/// by many threads.
public final class Instance {
    /// How often the launch thread looks whether the server reads what it is sent.
    private static final Duration WATCH = Duration.ofSeconds(1);

    /// How long output is awaited after the end of the process, and the end of the process after that of its
    /// output. Both come within a millisecond, unless somebody else holds the pipe.
    private static final Duration STRAGGLERS = Duration.ofSeconds(1);

    /// How long what descends from a server that ended by itself is hunted.
    private static final Duration CLEANING = Duration.ofSeconds(2);

    private final LaunchSpec spec;
    private final Process process;
    private final ProcessTree tree;
    private final StderrTail stderr;
    private final Thread drainer;
    private final Containment containment;
    private final InstanceListener listener;
    private final PipeWriter writer;
    private final AtomicBoolean told = new AtomicBoolean();
    private final CompletableFuture<Exit> exited = new CompletableFuture<>();
    private final CompletableFuture<List<Long>> gone = new CompletableFuture<>();
    private @Nullable StopLadder ladder;

    Instance(
            LaunchSpec spec, Attempt attempt, Containment containment, InstanceListener listener, Duration writeLimit) {
        this.spec = spec;
        this.process = attempt.process();
        this.tree = attempt.tree();
        this.stderr = attempt.stderr();
        this.drainer = attempt.drainer();
        this.containment = containment;
        this.listener = listener;
        this.writer = new PipeWriter(process.getOutputStream(), writeLimit);
    }

    public String server() {
        return spec.server();
    }

    /// The server's own process, as this machine sees it.
    public long pid() {
        return tree.own().pid();
    }

    public Containment containment() {
        return containment;
    }

    public StderrTail stderr() {
        return stderr;
    }

    /// How the server ended; null while it runs.
    public @Nullable Exit exit() {
        return exited.getNow(null);
    }

    /// Queues bytes for standard input, all of them or none. Never blocks. The future always completes, at the
    /// latest when the process is gone, and never exceptionally.
    public CompletableFuture<Written> write(byte[] bytes) {
        return writer.write(bytes);
    }

    /// Ends the server and everything that descends from it, gently at first (PRC-3). Returns when nothing is left,
    /// or shortly after `deadline`. A second stop, from whatever thread, joins the first, and hurries it when its
    /// own deadline is earlier.
    ///
    /// @return the pids that could not be ended: empty, unless the kernel holds on to one
    public List<Long> stop(Deadline deadline) {
        beginStop(deadline);
        try {
            return gone.get(deadline.remaining().plus(STRAGGLERS).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return List.of(pid());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return gone.getNow(List.of(pid()));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// As [#stop], without waiting.
    public void beginStop(Deadline deadline) {
        StopLadder mine;
        synchronized (this) {
            if (gone.isDone()) {
                return;
            }
            if (ladder != null) {
                ladder.hurry(deadline);
                return;
            }
            mine = new StopLadder(writer, tree, exited, deadline);
            ladder = mine;
        }
        Threads.platform(Launcher.threadName(spec, "stop"), mine::climb);
    }

    /// The work of the launch thread, once the process runs: serves its pipes, waits for its end, ends what
    /// descends from it, and tells.
    ///
    /// @param started run when all pipes are served
    void own(Runnable started) {
        List<Long> left = List.of(process.pid());
        try {
            Thread reading = Threads.platform(Launcher.threadName(spec, "stdout"), this::read);
            Thread writing = Threads.platform(Launcher.threadName(spec, "stdin"), this::write);
            started.run();
            int status = awaitExit();
            tree.leaderEnded();
            Exit exit = truly(status);
            exited.complete(exit);
            writer.abandon();
            left = tree.kill(Deadline.after(CLEANING, Timeout.CLOSE));
            join(drainer);
            join(reading);
            join(writing);
            tell(new Ending.Exited(exit));
        } catch (Throwable fault) {
            // No thread to be had, perhaps: a server whose pipes nobody serves would hang whoever waits for it.
            left = tree.kill(Deadline.after(CLEANING, Timeout.CLOSE));
            exited.complete(Exit.KILLED);
            writer.abandon();
            tell(new Ending.Exited(Exit.KILLED));
            throw fault;
        } finally {
            tree.release(left);
            gone.complete(left);
        }
    }

    /// unshare ends as its child did, but can't prepare to end itself by SIGKILL: it complains, and ends with 1.
    private Exit truly(int status) {
        if (status == 1 && containment.kind() == Containment.Kind.UNSHARE) {
            join(drainer);
            String text = stderr.tail().text();
            if (text.indexOf("unshare: ", text.lastIndexOf('\n', text.length() - 2) + 1) >= 0) {
                return Exit.KILLED;
            }
        }
        return new Exit(status);
    }

    private int awaitExit() {
        while (true) {
            try {
                if (process.waitFor(WATCH.toMillis(), TimeUnit.MILLISECONDS)) {
                    return process.exitValue();
                }
            } catch (InterruptedException e) {
                // Nobody has a reason to; and this thread must outlive the process.
                continue;
            }
            tree.reap();
            Deadline stuck = writer.stuck();
            if (stuck != null && tell(new Ending.NotReading(stuck))) {
                beginStop(Deadline.after(Duration.ZERO, Timeout.CLOSE));
            }
        }
    }

    /// The work of the reading thread. Goes on reading whatever becomes of the listener: a server that can't write
    /// would not see that it is to end.
    private void read() {
        InputStream in = process.getInputStream();
        byte[] buffer = new byte[32_768];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                listener.output(buffer, count);
            }
        } catch (IOException e) {
            // As good as its end.
        }
        tellUnlessExited(new Ending.OutputClosed(pid()));
    }

    private void write() {
        if (writer.run()) {
            tellUnlessExited(new Ending.InputClosed(pid()));
        }
    }

    /// A pipe breaks first when a process ends, but it may also break alone.
    private void tellUnlessExited(Ending ending) {
        try {
            exited.get(STRAGGLERS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            tell(ending);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private boolean tell(Ending ending) {
        boolean first = told.compareAndSet(false, true);
        if (first) {
            listener.ended(ending);
        }
        return first;
    }

    private static void join(Thread thread) {
        try {
            thread.join(STRAGGLERS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
