package dev.postern.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.VisibleText;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest;
import dev.postern.call.CheckedCall;
import dev.postern.call.Outcome;
import dev.postern.model.ToolAnswer;
import dev.postern.model.ToolCall;
import dev.postern.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The calls that a model asks for in one answer: checked whole before any of it is sent, so that one refused
/// call refuses them all (RUN-2), then sent, side by side where the servers allow it. Confined to the run's
/// thread.
final class Batch {
    private static final String UNKNOWN_SERVER = "unknown";

    private static final Problem ENDING = new Problem(
            ErrorCode.CANCELLED,
            "Postern was told to end and makes no more calls. Nothing was sent.",
            "Ask again later.");

    private final RunSetting setting;
    private final Approvals approvals;

    Batch(RunSetting setting, Approvals approvals) {
        this.setting = setting;
        this.approvals = approvals;
    }

    /// One call of the batch.
    private record Item(ToolCall asked, CheckedCall checked) {}

    /// What became of each call, in the order in which they were asked for.
    ///
    /// @param left how many calls the run may still make
    List<Done> run(List<ToolCall> asked, int left, Cancellation cancellation) throws StoreException {
        var items = new ArrayList<Item>();
        for (var call : asked) {
            items.add(new Item(call, check(call, cancellation)));
        }
        var refusal = setting.ending() ? ENDING : asked.size() > left ? tooMany(asked.size(), left) : null;
        if (refusal == null && items.stream().allMatch(item -> item.checked().refusal() == null)) {
            var no = approvals.ask(items.stream().map(Item::checked).toList(), cancellation);
            if (no == null) {
                return send(items, cancellation);
            }
            return refuse(items, no.call(), no.why());
        }
        return refuse(items, null, refusal);
    }

    /// A call and what became of it.
    record Done(ToolCall asked, CallReport report) {
        ToolAnswer answer() {
            return Hygiene.answer(asked, report);
        }

        boolean unknown() {
            return report.outcome() instanceof Outcome.Unknown;
        }
    }

    private CheckedCall check(ToolCall call, Cancellation cancellation) {
        var origin = new CallRequest.Origin(setting.runId(), VisibleText.line(call.name(), 64));
        var offered = setting.snapshot().find(call.name());
        if (offered == null) {
            var request = new CallRequest(
                    UNKNOWN_SERVER,
                    call.name(),
                    schema -> notOffered(),
                    setting.order().mode(),
                    origin);
            return setting.calls().check(request, id -> notOffered(), cancellation);
        }
        var request = new CallRequest(
                offered.server(),
                offered.tool(),
                schema -> ModelArguments.read(offered.wrapped(), call.arguments()),
                setting.order().mode(),
                origin);
        return setting.calls().check(request, setting.supply(), cancellation);
    }

    private static <T> Answer<T> notOffered() {
        return new Answer.Not<>(new Problem(
                ErrorCode.TOOL_MISSING,
                "This run offers no tool of that name. Nothing was sent.",
                "Only the tools that were offered can be called, by their exact names."));
    }

    /// Nothing of the batch is sent.
    ///
    /// @param culprit the call that `why` is about; null when it is about the batch, or when the calls that did
    ///     not pass their check are to blame
    private List<Done> refuse(List<Item> items, @Nullable CheckedCall culprit, @Nullable Problem why) {
        var done = new ArrayList<Done>();
        for (var item : items) {
            boolean toBlame = why != null && (culprit == null || culprit == item.checked());
            var reason = toBlame ? Objects.requireNonNull(why) : anotherRefused();
            done.add(told(item.asked(), setting.calls().refuse(item.checked(), reason)));
        }
        return done;
    }

    private static Problem anotherRefused() {
        return new Problem(
                ErrorCode.RUN_BATCH,
                "Another call of the same answer was refused, and with it all of them. Nothing was sent.",
                "Ask again without that call.");
    }

    private Problem tooMany(int asked, int left) {
        return new Problem(
                ErrorCode.RUN_CALLS,
                "The model asked for " + asked + (asked == 1 ? " call" : " calls") + " at once, and this run has "
                        + left + " left of " + setting.limits().maxCalls() + " (run.maxCalls). Nothing was sent.",
                "Ask for fewer calls, or raise run.maxCalls in config.json.");
    }

    /// Calls of one server that takes one at a time stay in their order, on one thread.
    private List<Done> send(List<Item> items, Cancellation cancellation) {
        Map<String, List<Item>> lanes = new LinkedHashMap<>();
        for (var item : items) {
            var checked = item.checked();
            var lane = checked.parallel() ? checked.callId() : "server " + checked.server();
            lanes.computeIfAbsent(lane, _ -> new ArrayList<>()).add(item);
        }
        Map<String, Done> done = new ConcurrentHashMap<>();
        var threads = new ArrayList<Thread>();
        for (var lane : lanes.values()) {
            threads.add(Threads.virtual("calls-of-" + setting.runId(), () -> {
                for (var item : lane) {
                    done.put(item.checked().callId(), send(item, cancellation));
                }
            }));
        }
        threads.forEach(Threads::join);
        return items.stream()
                .map(item -> Objects.requireNonNull(done.get(item.checked().callId())))
                .toList();
    }

    private Done send(Item item, Cancellation cancellation) {
        var checked = item.checked();
        ObjectNode arguments = checked.arguments();
        if (arguments != null) {
            setting.tell(new RunEvent.CallStarted(
                    checked.callId(), checked.server(), checked.tool(), setting.redacted(arguments)));
        }
        return told(item.asked(), setting.calls().send(checked, approvals.consent(checked), cancellation));
    }

    private Done told(ToolCall asked, CallReport report) {
        setting.tell(new RunEvent.CallEnded(report));
        return new Done(asked, report);
    }
}
