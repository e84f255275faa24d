package dev.postern.run;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.model.Message;
import dev.postern.policy.Mode;
import dev.postern.run.RunOrder.Session;
import dev.postern.store.RunRecords;
import dev.postern.store.RunStart;
import dev.postern.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The start of one run: learn what the servers offer, see that it fits, record the run, take up its session.
/// Confined to one thread.
final class RunOpening {
    /// In code points.
    private static final int TITLE = 80;

    private final AgentRuns.Means means;
    private final AgentRuns.Supplies supplies;
    private final RunSetting.Bounds bounds;
    private final RunOrder order;
    private final Approver approver;
    private final Consumer<RunEvent> events;
    private final String runId;
    private final @Nullable String sessionId;

    RunOpening(
            AgentRuns.Means means,
            AgentRuns.Supplies supplies,
            RunSetting.Bounds bounds,
            RunOrder order,
            Approver approver,
            Consumer<RunEvent> events) {
        this.means = means;
        this.supplies = supplies;
        this.bounds = bounds;
        this.order = order;
        this.approver = approver;
        this.events = events;
        this.runId = means.clock().ids().run();
        this.sessionId = switch (order.session()) {
            case null -> null;
            case Session.New _ -> means.clock().ids().session();
            case Session.Continued continued -> continued.id();
        };
    }

    String runId() {
        return runId;
    }

    /// Begins the run and follows it to its end.
    ///
    /// @return a problem where no run began
    Answer<RunReport> run(ModelInUse model, Deadline deadline, Cancellation stop) throws StoreException {
        var troubles = new ArrayList<Problem>();
        try (var supply = new ToolSupply(runId, order.mode(), supplies.shared(), supplies.own())) {
            var ready = supply.learn(stop, troubles);
            if (stop.requested()) {
                return new Answer.Not<>(new Problem(
                        ErrorCode.CANCELLED, "Cancelled before the run began.", "Nothing was asked or sent."));
            }
            var snapshot = Snapshot.of(ready, order.mode(), means.redactor().get(), troubles);
            var setting = new RunSetting(
                    runId,
                    sessionId,
                    order,
                    bounds,
                    new RunSetting.Tools(
                            snapshot, supply, means.calls(), means.clock().ids()),
                    new RunSetting.Voice(means.redactor(), events));
            return recorded(setting, model, troubles, deadline, stop);
        }
    }

    private Answer<RunReport> recorded(
            RunSetting setting, ModelInUse model, List<Problem> troubles, Deadline deadline, Cancellation stop)
            throws StoreException {
        var definitions = setting.snapshot().definitions();
        var count = new ContextCount(model, Hygiene.SYSTEM, definitions, means.estimate());
        var prompt = new Message.User(setting.redacted(order.prompt()));
        var tooMuch = count.tooMuch(prompt);
        if (tooMuch != null) {
            return new Answer.Not<>(tooMuch);
        }
        var records = means.store().get().runRecords();
        var obstacle = begin(records, setting.snapshot(), prompt.text());
        if (obstacle != null) {
            return new Answer.Not<>(obstacle);
        }
        var recorder = new RunRecorder(records, runId, means.clock().time());
        var conversation = new Conversation(runId);
        RunReport report;
        try {
            setting.tell(new RunEvent.Started(runId, sessionId));
            troubles.forEach(trouble -> setting.tell(new RunEvent.Notice(trouble)));
            recall(records, recorder, conversation);
            recorder.system(Hygiene.SYSTEM);
            conversation.add(new Conversation.Entry(runId, recorder.message(prompt), prompt));
            report = new AgentRun(setting, model, recorder, conversation, count, approver).run(deadline, stop);
        } catch (StoreException e) {
            recorder.endAtLast(RunReport.State.FAILED, e.problem());
            throw e;
        } catch (RuntimeException | Error fault) {
            // An open run keeps its session from going on for as long as this process lives.
            recorder.endAtLast(RunReport.State.FAILED, fault(fault));
            throw fault;
        }
        setting.tell(new RunEvent.Ended(report));
        return new Answer.Here<>(report);
    }

    /// @return why it can't begin, null when it has
    private @Nullable Problem begin(RunRecords records, Snapshot snapshot, String prompt) throws StoreException {
        var session = sessionId == null
                ? null
                : new RunStart.InSession(
                        sessionId,
                        order.session() instanceof Session.New ? VisibleText.line(prompt.strip(), TITLE) : null);
        var start = new RunStart(
                runId,
                trigger(order.mode()),
                order.mode().name().toLowerCase(Locale.ROOT),
                session,
                snapshot.json(),
                means.clock().time().instant());
        return switch (records.begin(start)) {
            case YES -> null;
            case BUSY ->
                new Problem(
                        ErrorCode.RUN_SESSION_BUSY,
                        "Another run of the session " + sessionId + " has not ended.",
                        "Wait for it, or begin a new session.");
            case NO_SESSION ->
                new Problem(
                        ErrorCode.USAGE_UNKNOWN_RECORD,
                        "No session " + sessionId + " is recorded.",
                        "See what is with `postern chat list`.");
        };
    }

    private static Problem fault(Throwable fault) {
        return new Problem(
                ErrorCode.INTERNAL,
                "Postern failed (" + fault.getClass().getSimpleName() + ").",
                "This is a fault of Postern, not of yours; please report it.");
    }

    private static String trigger(Mode mode) {
        return switch (mode) {
            case COMMAND, CHAT -> "cli";
            case API -> "api";
            case SCHEDULED -> "schedule";
        };
    }

    /// Takes up what was said before. Of a run that was interrupted between its calls and their results the
    /// results are made up for, and recorded: the model has to know that a call may have been made.
    private void recall(RunRecords records, RunRecorder recorder, Conversation conversation) throws StoreException {
        if (!(order.session() instanceof Session.Continued continued)) {
            return;
        }
        for (var row : records.conversation(continued.id())) {
            var message = MessageJson.read(row.role(), row.content());
            if (message != null) {
                complete(recorder, conversation, message);
                conversation.add(new Conversation.Entry(row.runId(), row.position(), message));
            }
        }
        complete(recorder, conversation, null);
    }

    private static void complete(RunRecorder recorder, Conversation conversation, @Nullable Message next)
            throws StoreException {
        var last = conversation.last();
        if (last != null
                && last.message() instanceof Message.Assistant assistant
                && !assistant.calls().isEmpty()
                && !(next instanceof Message.Results)) {
            var results = new Message.Results(
                    assistant.calls().stream().map(Hygiene::lost).toList());
            recorder.message(last.runId(), last.position() + 1, results);
            conversation.add(new Conversation.Entry(last.runId(), last.position() + 1, results));
        }
    }
}
