package dev.postern.run;

import dev.postern.base.Problem;
import dev.postern.model.Message;
import dev.postern.model.Usage;
import dev.postern.run.RunReport.State;
import dev.postern.store.ApprovalRow;
import dev.postern.store.CallEnd;
import dev.postern.store.MessageRow;
import dev.postern.store.RunEnd;
import dev.postern.store.RunRecords;
import dev.postern.store.StoreException;
import dev.postern.store.TurnRow;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Records one run as it goes: what it returned from is on the disk. Confined to the run's thread.
final class RunRecorder {
    private final RunRecords records;
    private final String runId;
    private final InstantSource time;
    private int position;
    private int turn;
    private Instant asked = Instant.EPOCH;
    private TurnRow.@Nullable Span span;

    RunRecorder(RunRecords records, String runId, InstantSource time) {
        this.records = records;
        this.runId = runId;
        this.time = time;
    }

    void system(String text) throws StoreException {
        records.add(new MessageRow(runId, position++, MessageJson.SYSTEM, MessageJson.text(text), time.millis()));
    }

    /// Records the next message and gives its position.
    int message(Message message) throws StoreException {
        records.add(row(message));
        return position++;
    }

    /// Adds what is missing to a run that has ended.
    void message(String ofRun, int at, Message message) throws StoreException {
        records.add(new MessageRow(ofRun, at, MessageJson.role(message), MessageJson.content(message), time.millis()));
    }

    private MessageRow row(Message message) {
        return new MessageRow(runId, position, MessageJson.role(message), MessageJson.content(message), time.millis());
    }

    void asked(Conversation.Fitting sent) throws StoreException {
        asked = time.instant();
        span = new TurnRow.Span(
                sent.first().runId(), sent.first().position(), sent.last().position());
        records.ask(runId, ++turn, span, asked);
    }

    /// The model answered.
    ///
    /// @return the position of its message
    int answered(Message.Assistant answer, Usage usage) throws StoreException {
        records.answer(turnRow(usage.inputTokens(), usage.outputTokens(), null), row(answer));
        return position++;
    }

    /// No whole answer came.
    ///
    /// @param partial what came of it, null when nothing did
    void unanswered(@Nullable Problem problem, Message.@Nullable Assistant partial) throws StoreException {
        var code = problem == null ? null : problem.code().code();
        records.answer(turnRow(0, 0, code), partial == null ? null : row(partial));
        if (partial != null) {
            position++;
        }
    }

    private TurnRow turnRow(long input, long output, @Nullable String code) {
        var sent = span == null ? new TurnRow.Span(runId, 0, 0) : span;
        return new TurnRow(runId, turn, sent, asked.toEpochMilli(), time.millis(), input, output, code);
    }

    int turns() {
        return turn;
    }

    void question(Approver.Question question, String arguments) throws StoreException {
        var now = time.instant();
        records.ask(new ApprovalRow(
                question.id(),
                runId,
                question.server(),
                question.tool(),
                arguments,
                now,
                now.plus(question.patience())));
    }

    void word(Approver.Question question, String decision) throws StoreException {
        records.decide(question.id(), decision, time.instant());
    }

    /// Records an end after something went wrong, if need be when the next run begins.
    void endAtLast(State state, Problem problem) {
        try {
            end(state, problem);
        } catch (StoreException e) {
            // The records owe it.
        }
    }

    void end(State state, @Nullable Problem problem) throws StoreException {
        var trouble =
                problem == null ? null : new CallEnd.Trouble(problem.code().code(), problem.message(), problem.next());
        records.end(runId, new RunEnd(state.word(), trouble, time.instant()));
    }
}
