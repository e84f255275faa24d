package dev.postern.run;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Durations;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.WellFormed;
import dev.postern.model.Message;
import dev.postern.model.ModelFault;
import dev.postern.model.ModelReply;
import dev.postern.model.ModelRequest;
import dev.postern.model.ToolCall;
import dev.postern.run.RunReport.State;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The loop of one run (RUN-2): ask the model, check and make the calls it asks for, tell it what became of
/// them, until it asks for none, or something ends it. Nothing is asked or sent that was not recorded first.
/// Confined to one thread.
final class AgentRun {
    /// A provider that says `0` is not asked in a tight loop.
    private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

    private static final Problem ENDING = new Problem(
            ErrorCode.CANCELLED,
            "Postern was told to end, and asks the model nothing more.",
            "Continue the session when it runs again.");

    private final RunSetting setting;
    private final ModelInUse model;
    private final RunRecorder recorder;
    private final Conversation conversation;
    private final ContextCount count;
    private final Batch batch;

    private String text = "";
    private int calls;
    private int unknown;
    private long inputTokens;
    private long outputTokens;

    AgentRun(
            RunSetting setting,
            ModelInUse model,
            RunRecorder recorder,
            Conversation conversation,
            ContextCount count,
            Approver approver) {
        this.setting = setting;
        this.model = model;
        this.recorder = recorder;
        this.conversation = conversation;
        this.count = count;
        this.batch = new Batch(setting, new Approvals(setting, approver, recorder));
    }

    /// How the run ended.
    record End(State state, @Nullable Problem problem) {
        private static final End COMPLETED = new End(State.COMPLETED, null);

        private static End failed(Problem problem) {
            return new End(State.FAILED, problem);
        }

        private static End cancelled(Problem problem) {
            return new End(State.CANCELLED, problem);
        }

        private static End limit(ErrorCode code, String message, String next) {
            return new End(State.LIMIT, new Problem(code, message, next));
        }
    }

    /// Runs to the end, which is recorded. Never throws for what a model, a server or the disk does.
    ///
    /// @param cancellation requested by the owner, or by whoever watches `deadline`
    RunReport run(Deadline deadline, Cancellation cancellation) {
        End end;
        try {
            end = loop(deadline, cancellation);
            recorder.end(end.state(), end.problem());
        } catch (StoreException e) {
            end = End.failed(e.problem());
            recorder.endAtLast(end.state(), e.problem());
        }
        return new RunReport(
                setting.runId(),
                setting.sessionId(),
                end.state(),
                end.problem(),
                text,
                new RunReport.Counts(recorder.turns(), calls, unknown, inputTokens, outputTokens));
    }

    private End loop(Deadline deadline, Cancellation cancellation) throws StoreException {
        while (true) {
            if (cancellation.requested() || deadline.expired()) {
                return stopped(deadline);
            }
            if (setting.ending()) {
                return End.cancelled(ENDING);
            }
            if (recorder.turns() == setting.limits().maxTurns()) {
                return End.limit(
                        ErrorCode.RUN_TURNS,
                        "The model was asked " + recorder.turns() + " times, which is the limit (run.maxTurns).",
                        "Continue the session, or raise run.maxTurns in config.json.");
            }
            var sent = conversation.fitting(count);
            if (sent == null) {
                return End.limit(
                        ErrorCode.RUN_CONTEXT,
                        "The newest messages alone do not fit into the " + model.contextTokens()
                                + " tokens of the model (model.contextTokens).",
                        "Begin a new session, lower limits.resultBytes, or use a model that takes more.");
            }
            recorder.asked(sent);
            var end = answered(ask(sent, deadline, cancellation), sent, deadline, cancellation);
            if (end != null) {
                return end;
            }
        }
    }

    private ModelReply ask(Conversation.Fitting sent, Deadline deadline, Cancellation cancellation) {
        var request = new ModelRequest(
                Hygiene.SYSTEM, sent.messages(), setting.snapshot().definitions());
        var stream = new WordStream(setting.redactor(), piece -> setting.tell(new RunEvent.Text(piece)));
        try {
            return model.model().ask(request, stream::accept, deadline, cancellation);
        } finally {
            stream.end();
            setting.tell(new RunEvent.AnswerEnded());
        }
    }

    /// @return how the run ends with that, null when it goes on
    private @Nullable End answered(
            ModelReply reply, Conversation.Fitting sent, Deadline deadline, Cancellation cancellation)
            throws StoreException {
        return switch (reply) {
            case ModelReply.Answered answer -> {
                count.learn(sent.messages(), answer.usage());
                inputTokens += answer.usage().inputTokens();
                outputTokens += answer.usage().outputTokens();
                var asked = harmless(answer.calls());
                var message = redacted(answer.text(), asked);
                text = message.text();
                add(message, recorder.answered(message, answer.usage()));
                yield answer.cutShort() ? cutShort() : proceed(asked, cancellation);
            }
            case ModelReply.Failed failed -> {
                recorder.unanswered(failed.problem(), partial(failed.partialText()));
                yield deadline.expired() ? stopped(deadline) : failed(failed, deadline, cancellation);
            }
            case ModelReply.Cancelled cancelled -> {
                recorder.unanswered(null, partial(cancelled.partialText()));
                yield stopped(deadline);
            }
        };
    }

    /// A model that has seen a secret may write it anywhere (SEC-5), also where a name or an id belongs. The name of
    /// a tool that is offered stays: by it the tool is found.
    private List<ToolCall> harmless(List<ToolCall> asked) {
        var ids = asked.stream().map(ToolCall::id).collect(Collectors.toSet());
        var harmless = new ArrayList<ToolCall>();
        for (var call : asked) {
            String id = call.id();
            if (!setting.redacted(id).equals(id)) {
                int number = harmless.size() + 1;
                while (!ids.add("call_" + number)) {
                    number++;
                }
                id = "call_" + number;
            }
            boolean offered = setting.snapshot().find(call.name()) != null;
            String name = offered ? call.name() : setting.redacted(call.name());
            harmless.add(new ToolCall(id, name, call.arguments(), call.seal()));
        }
        return harmless;
    }

    private Message.Assistant redacted(String said, List<ToolCall> asked) {
        return new Message.Assistant(
                setting.redacted(said),
                asked.stream()
                        .map(call -> new ToolCall(
                                call.id(), call.name(), setting.redacted(WellFormed.of(call.arguments())), call.seal()))
                        .toList());
    }

    private Message.@Nullable Assistant partial(String said) {
        text = setting.redacted(said);
        return said.isEmpty() ? null : new Message.Assistant(text, List.of());
    }

    private void add(Message message, int position) {
        conversation.add(new Conversation.Entry(setting.runId(), position, message));
    }

    private @Nullable End proceed(List<ToolCall> asked, Cancellation cancellation) throws StoreException {
        if (asked.isEmpty()) {
            return End.COMPLETED;
        }
        int left = setting.limits().maxCalls() - calls;
        var done = batch.run(asked, left, cancellation);
        calls += asked.size() > left ? 0 : asked.size();
        unknown += (int) done.stream().filter(Batch.Done::unknown).count();
        var results = new Message.Results(done.stream().map(Batch.Done::answer).toList());
        add(results, recorder.message(results));
        return left > 0
                ? null
                : End.limit(
                        ErrorCode.RUN_CALLS,
                        "The model asked for more than " + setting.limits().maxCalls()
                                + " calls in one run, which is the limit (run.maxCalls).",
                        "Continue the session, or raise run.maxCalls in config.json.");
    }

    private static End cutShort() {
        return End.limit(
                ErrorCode.RUN_OUTPUT,
                "The model's answer was cut short at its limit of tokens (model.maxOutputTokens).",
                "Raise model.maxOutputTokens in config.json, or ask for less.");
    }

    /// A model that is asked too often is asked again when it said so, since nothing of the answer has come
    /// (MDL-2).
    private @Nullable End failed(ModelReply.Failed failed, Deadline deadline, Cancellation cancellation) {
        var wait = failed.retryAfter();
        boolean later = failed.fault() == ModelFault.RATE_LIMIT
                && failed.partialText().isEmpty()
                && wait != null
                && wait.compareTo(deadline.remaining()) < 0;
        if (!later || wait == null) {
            return End.failed(failed.problem());
        }
        setting.tell(new RunEvent.Notice(new Problem(
                failed.problem().code(),
                "The model wants to be asked again in " + Durations.text(wait) + ".",
                "Waiting; Ctrl-C ends the run.")));
        pause(wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait, cancellation);
        return null;
    }

    private static void pause(Duration wait, Cancellation cancellation) {
        var over = new CompletableFuture<Boolean>().completeOnTimeout(true, wait.toMillis(), TimeUnit.MILLISECONDS);
        try (var _ = cancellation.listen(() -> over.complete(false))) {
            var _ = over.join();
        }
    }

    private End stopped(Deadline deadline) {
        if (deadline.expired()) {
            return End.limit(
                    ErrorCode.RUN_DEADLINE,
                    "The run did not end within " + deadline.describe() + ".",
                    deadline.howToRaise());
        }
        var which = unknown == 0
                ? ""
                : " " + unknown + (unknown == 1 ? " call" : " calls") + " of it may have been done without an answer.";
        return new End(
                State.CANCELLED,
                new Problem(
                        ErrorCode.CANCELLED,
                        "The run was cancelled." + which,
                        unknown == 0 ? "Nothing is in flight any more." : "Check with the servers before you go on."));
    }
}
