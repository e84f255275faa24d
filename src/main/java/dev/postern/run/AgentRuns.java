package dev.postern.run;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Ids;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.call.CallService;
import dev.postern.config.RunLimits;
import dev.postern.model.TokenCount;
import dev.postern.secret.Redactor;
import dev.postern.server.ToolSource;
import dev.postern.store.LazyStore;
import dev.postern.store.StoreException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs agents (RUN). Each run blocks its caller to its end; any number may go on at once, one in each session.
/// Safe for use by many threads.
public final class AgentRuns {

    private final Means means;
    private final Supplies supplies;
    private final RunLimits limits;
    private final Map<String, Cancellation> open = new HashMap<>();
    private volatile boolean ending;
    private boolean stopped;

    /// What runs work with.
    ///
    /// @param redactor over every secret given to anybody so far, the model's key included
    public record Means(
            CallService calls,
            LazyStore store,
            Models models,
            Supplier<Redactor> redactor,
            TokenCount estimate,
            Clock clock) {
        /// Names and times what happens.
        public record Clock(Ids ids, InstantSource time) {}
    }

    /// Where the tools come from.
    ///
    /// @param shared the servers, and the tools of our own
    /// @param own of each run for itself
    public record Supplies(List<? extends ToolSource> shared, List<OwnTools> own) {
        public Supplies {
            shared = List.copyOf(shared);
            own = List.copyOf(own);
        }
    }

    public AgentRuns(Means means, Supplies supplies, RunLimits limits) {
        this.means = means;
        this.supplies = supplies;
        this.limits = limits;
    }

    /// Starts a run and follows it to its end. A server that can't be used is told as a notice; the run goes on
    /// with the others.
    ///
    /// @param events told on the run's threads, one at a time; must be quick, or the run waits
    /// @return the report; a problem only where no run began
    public Answer<RunReport> run(
            RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation) {
        return switch (means.models().model()) {
            case Answer.Not<ModelInUse> not -> new Answer.Not<>(not.problem());
            case Answer.Here<ModelInUse> model -> {
                var deadline = Deadline.after(limits.timeout(), RunLimits.TIMEOUT);
                var opening = new RunOpening(
                        means, supplies, new RunSetting.Bounds(limits, () -> ending), order, approver, events);
                yield watched(
                        opening.runId(), deadline, cancellation, stop -> opening.run(model.value(), deadline, stop));
            }
        };
    }

    private interface Watched {
        Answer<RunReport> run(Cancellation stop) throws StoreException;
    }

    /// Runs `work`, which is to stop when the owner says so or the deadline has come.
    private Answer<RunReport> watched(String runId, Deadline deadline, Cancellation cancellation, Watched work) {
        var stop = opened(runId);
        var over = new CompletableFuture<Boolean>();
        var watch = Threads.virtual("run-deadline", () -> {
            long left = deadline.remaining().toMillis() + 1;
            if (!over.completeOnTimeout(false, left, TimeUnit.MILLISECONDS).join()) {
                stop.request();
            }
        });
        try (var _ = cancellation.listen(stop::request)) {
            return work.run(stop);
        } catch (StoreException e) {
            return new Answer.Not<>(e.problem());
        } finally {
            over.complete(true);
            Threads.join(watch);
            synchronized (open) {
                open.remove(runId);
                open.notifyAll();
            }
        }
    }

    private Cancellation opened(String runId) {
        var stop = new Cancellation();
        synchronized (open) {
            open.put(runId, stop);
            if (stopped) {
                stop.request();
            }
        }
        return stop;
    }

    /// Makes a run end soon, as cancelled (RUN-6). Does not wait.
    ///
    /// @return whether it goes on here
    public boolean cancel(String runId) {
        Cancellation stop;
        synchronized (open) {
            stop = open.get(runId);
        }
        if (stop != null) {
            stop.request();
        }
        return stop != null;
    }

    /// Has every run end once its calls in flight have (WRK-4): no more are made, and no model is asked again. Does
    /// not wait.
    public void windDown() {
        ending = true;
    }

    /// Cancels every run, and returns when each has recorded its end, or after some seconds. One that is begun
    /// later is cancelled at once.
    public void stop() {
        List<Cancellation> all;
        synchronized (open) {
            stopped = true;
            all = List.copyOf(open.values());
        }
        all.forEach(Cancellation::request);
        means.models().close();
        var patience = Deadline.after(CallService.CLOSING, Timeout.CLOSE);
        synchronized (open) {
            while (!open.isEmpty() && !patience.expired()) {
                try {
                    open.wait(Math.max(1, patience.remaining().toMillis()));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }
}
