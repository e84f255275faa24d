package dev.postern.run;

import dev.postern.base.Cancellation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Questions that wait for the owner to answer by another way than the one that started the run: another
/// command, or the REST API (APR-2). Silence becomes a no. Safe for use by many threads.
public final class PendingApprovals implements Approver {
    private final Map<String, Pending> pending = new LinkedHashMap<>();

    private record Pending(Question question, CompletableFuture<Verdict> verdict) {}

    @Override
    public Verdict ask(Question question, Cancellation cancellation) {
        var verdict = new CompletableFuture<Verdict>();
        synchronized (this) {
            pending.put(question.id(), new Pending(question, verdict));
        }
        try (var _ = cancellation.listen(() -> verdict.complete(new Verdict.Silence()))) {
            return verdict.completeOnTimeout(
                            new Verdict.Silence(), question.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            synchronized (this) {
                pending.remove(question.id());
            }
        }
    }

    /// The questions that wait, oldest first.
    public synchronized List<Question> waiting() {
        return new ArrayList<>(pending.values().stream().map(Pending::question).toList());
    }

    /// Answers a question.
    ///
    /// @return whether it still waited
    public boolean answer(String id, Verdict verdict) {
        Pending one;
        synchronized (this) {
            one = pending.get(id);
        }
        return one != null && one.verdict().complete(verdict);
    }
}
