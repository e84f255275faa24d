package dev.postern.run;

import dev.postern.model.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages of a session up to now, and which of them fit before a model (RUN-3). Confined to the run's
/// thread.
final class Conversation {
    private final String runId;
    private final List<Entry> entries = new ArrayList<>();
    private int prompt = -1;

    /// @param runId the run that goes on with it
    Conversation(String runId) {
        this.runId = runId;
    }

    /// A message, and where it is recorded.
    record Entry(String runId, int position, Message message) {}

    void add(Entry entry) {
        if (prompt < 0 && entry.runId.equals(runId) && entry.message instanceof Message.User) {
            prompt = entries.size();
        }
        entries.add(entry);
    }

    /// The newest message, null when there is none.
    @Nullable
    Entry last() {
        return entries.isEmpty() ? null : entries.getLast();
    }

    /// Messages that fit.
    ///
    /// @param first the oldest of them, but for the owner's words of this run, which never go
    record Fitting(List<Message> messages, Entry first, Entry last) {}

    /// The newest messages that `count` has room for, and the owner's words of this run. Older ones are dropped
    /// whole, oldest first; a call never goes without its result, nor a result without its call, and the first
    /// message is the owner's. Null when not even the newest fit.
    @Nullable
    Fitting fitting(ContextCount count) {
        int first = oldestStart();
        boolean all = count.surelyFit(entries.subList(first, entries.size()).stream()
                .map(Entry::message)
                .toList());
        int start = all ? first : oldestThatFits(count);
        return start < 0 ? null : from(start);
    }

    /// Where a session begins of which older runs were dropped from the records, the first words are the owner's too.
    private int oldestStart() {
        int first = 0;
        while (!startsHere(first)) {
            first++;
        }
        return first;
    }

    private int oldestThatFits(ContextCount count) {
        long budget = count.left();
        long after = 0;
        int best = -1;
        for (int i = entries.size() - 1; i >= 0; i--) {
            after += count.tokens(entries.get(i).message);
            long cost = i > prompt ? after + count.tokens(entries.get(prompt).message) : after;
            if (cost > budget) {
                break;
            }
            if (startsHere(i)) {
                best = i;
            }
        }
        return best;
    }

    private boolean startsHere(int index) {
        return switch (entries.get(index).message) {
            case Message.User _ -> true;
            case Message.Assistant _ -> index > prompt;
            case Message.Results _ -> false;
        };
    }

    private Fitting from(int start) {
        var sent = new ArrayList<Entry>();
        if (start > prompt) {
            sent.add(entries.get(prompt));
        }
        sent.addAll(entries.subList(start, entries.size()));
        return new Fitting(sent.stream().map(Entry::message).toList(), entries.get(start), entries.getLast());
    }
}
