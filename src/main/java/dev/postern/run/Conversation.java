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

    /// A message, where it is recorded, and what it costs about.
    record Entry(String runId, int position, Message message, long tokens) {}

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
    /// @param tokens what they cost about
    record Fitting(List<Message> messages, Entry first, Entry last, long tokens) {}

    /// The newest messages that cost `budget` at most, and the owner's words of this run. Older ones are
    /// dropped whole, oldest first; a call never goes without its result, nor a result without its call, and
    /// the first message is the owner's. Null when not even the newest fit.
    @Nullable
    Fitting fitting(long budget) {
        long after = 0;
        int best = -1;
        for (int i = entries.size() - 1; i >= 0; i--) {
            after += entries.get(i).tokens;
            long cost = i > prompt ? after + entries.get(prompt).tokens : after;
            if (cost > budget) {
                break;
            }
            if (startsHere(i)) {
                best = i;
            }
        }
        return best < 0 ? null : from(best);
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
        return new Fitting(
                sent.stream().map(Entry::message).toList(),
                entries.get(start),
                entries.getLast(),
                sent.stream().mapToLong(Entry::tokens).sum());
    }
}
