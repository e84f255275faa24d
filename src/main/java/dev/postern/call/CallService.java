package dev.postern.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Ids;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Stopwatch;
import dev.postern.base.Timeout;
import dev.postern.base.VisibleText;
import dev.postern.call.CallLedger.LedgerException;
import dev.postern.call.CheckedCall.Verdict;
import dev.postern.call.Outcome.NotSent;
import dev.postern.call.Outcome.Refused;
import dev.postern.policy.Decision;
import dev.postern.policy.Policy;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import dev.postern.server.Connected;
import dev.postern.server.Readiness;
import dev.postern.server.ToolSource;
import dev.postern.server.ToolSources;
import dev.postern.wire.JsonSize;
import dev.postern.wire.StrictJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The one choke point: every tool call goes through here, and nothing else writes a `tools/call` (CAL-1). A
/// call is sent at most once, ever (CAL-3), and ends in exactly one [Outcome]. Blocks its caller; safe for use
/// by many threads.
public final class CallService {
    /// How long a call whose server is gone may take to be recorded.
    public static final Duration CLOSING = Duration.ofSeconds(5);

    /// The same, for whoever can't wait.
    private static final Duration HURRIED = Duration.ofMillis(500);

    private static final Duration GLANCE = Duration.ofMillis(50);

    /// In code points; a name that any server has is shorter.
    private static final int LONGEST_NAME = 200;

    private final CallLedger ledger;
    private final Ids ids;
    private final InstantSource time;

    /// Read by each call, written by whoever waits for them all.
    private final ReentrantReadWriteLock inFlight = new ReentrantReadWriteLock();

    public CallService(CallLedger ledger, Ids ids, InstantSource time) {
        this.ledger = ledger;
        this.ids = ids;
        this.time = time;
    }

    /// A call with nobody to ask: [#check], and [#send] at once.
    public CallReport call(CallRequest request, ToolSources sources, Cancellation cancellation) {
        return send(check(request, sources, cancellation), Consent.NOT_GIVEN, cancellation);
    }

    /// Decides and checks, starting the server when needed, and sends nothing.
    ///
    /// Checked in the order of CLI-5: whether there is such a server, what the configuration alone refuses,
    /// start and discovery, the tool, its arguments.
    public CheckedCall check(CallRequest request, ToolSources sources, Cancellation cancellation) {
        var watch = new Stopwatch();
        ledger.prepare();
        return switch (sources.find(request.server())) {
            case Answer.Not<? extends ToolSource> unknown ->
                new CheckedCall(
                        head(request, Redactor.none()), watch, new Verdict.Stopped(new Refused(unknown.problem())));
            case Answer.Here<? extends ToolSource> here ->
                new CheckedCall(
                        head(request, here.value().redactor()), watch, verdict(here.value(), request, cancellation));
        };
    }

    /// Names are recorded as they were given, which may be anything: short, and without a secret that was typed
    /// in the wrong place.
    private CallHead head(CallRequest request, Redactor redactor) {
        var origin = request.origin();
        return new CallHead(
                ids.call(),
                origin == null ? new CallHead.Run(ids.run(), true) : new CallHead.Run(origin.runId(), false),
                VisibleText.line(request.server(), LONGEST_NAME),
                VisibleText.line(redactor.redact(request.tool()).text(), LONGEST_NAME),
                origin == null ? null : origin.modelName(),
                request.mode(),
                time.instant());
    }

    private static Verdict verdict(ToolSource source, CallRequest request, Cancellation cancellation) {
        var decision = Policy.decide(source.rule(), request.tool(), request.mode());
        var verdict = switch (decision) {
            case Decision.Refuse refuse -> new Verdict.Stopped(new Refused(refuse.problem()));
            case Decision.Ask ask -> whenReady(source, request, decision, cancellation);
            case Decision.Allow allow -> whenReady(source, request, decision, cancellation);
        };
        return verdict instanceof Verdict.Stopped(Outcome outcome)
                ? new Verdict.Stopped(redacted(outcome, source))
                : verdict;
    }

    private static Verdict whenReady(
            ToolSource source, CallRequest request, Decision decision, Cancellation cancellation) {
        return switch (source.ready(cancellation)) {
            case Readiness.NotReady notReady -> new Verdict.Stopped(new NotSent(notReady.problem()));
            case Readiness.Ready ready -> withTool(source, ready.connected(), request, decision);
        };
    }

    private static Verdict withTool(ToolSource source, Connected connected, CallRequest request, Decision decision) {
        var tool = connected.catalog().tool(request.tool());
        if (tool == null) {
            var why = Objects.requireNonNull(connected.catalog().refusal(request.tool()));
            return new Verdict.Stopped(new Refused(CallProblems.notOffered(why)));
        }
        return switch (request.arguments().arguments(tool.inputSchema())) {
            case Answer.Not<ObjectNode> wrong -> new Verdict.Stopped(new Refused(wrong.problem()));
            case Answer.Here<ObjectNode> given -> {
                var breach = ArgumentCheck.breach(
                        source.id(), tool, given.value(), source.limits().get(Limit.ARGUMENT_BYTES));
                yield breach == null
                        ? new Verdict.Passed(source, connected, tool, given.value(), decision)
                        : new Verdict.Stopped(new Refused(breach));
            }
        };
    }

    /// Sends a call that passed its check, once; one that has to ask only with the owner's consent. Records the
    /// intent before, and the outcome after. One that did not pass is recorded as it is.
    public CallReport send(CheckedCall call, Consent consent, Cancellation cancellation) {
        inFlight.readLock().lock();
        try {
            return switch (call.verdict()) {
                case Verdict.Stopped stopped -> settle(call, stopped.outcome());
                case Verdict.Passed passed -> settle(call, outcome(call, passed, consent, cancellation));
            };
        } finally {
            inFlight.readLock().unlock();
        }
    }

    /// Ends a call of which nothing is to be sent, for `why`; one that did not pass its check, for its own
    /// reason.
    public CallReport refuse(CheckedCall call, Problem why) {
        inFlight.readLock().lock();
        try {
            return switch (call.verdict()) {
                case Verdict.Stopped stopped -> settle(call, stopped.outcome());
                case Verdict.Passed passed -> settle(call, redacted(new Refused(why), passed.source()));
            };
        } finally {
            inFlight.readLock().unlock();
        }
    }

    private Outcome outcome(CheckedCall call, Verdict.Passed passed, Consent consent, Cancellation cancellation) {
        if (call.asks() && consent == Consent.NOT_GIVEN) {
            return new Refused(CallProblems.nobodyToAsk(passed.source().id(), call.tool()));
        }
        return redacted(inTurn(call, passed, cancellation), passed.source());
    }

    private Outcome inTurn(CheckedCall call, Verdict.Passed passed, Cancellation cancellation) {
        var source = passed.source();
        if (!source.gate().enter(source.timeouts().start(Timeout.CALL), cancellation)) {
            return new NotSent(
                    cancellation.requested()
                            ? CallProblems.cancelledBefore(source.id())
                            : CallProblems.busy(source.id()));
        }
        try {
            return transmit(call, passed, cancellation);
        } finally {
            source.gate().leave();
        }
    }

    private Outcome transmit(CheckedCall call, Verdict.Passed passed, Cancellation cancellation) {
        var source = passed.source();
        if (cancellation.requested()) {
            return new NotSent(CallProblems.cancelledBefore(source.id()));
        }
        var tool = passed.tool();
        var session = passed.connected().session();
        var classifier = new Classifier(
                source.id(),
                tool,
                session.era(),
                source::redactor,
                source.limits().get(Limit.RESULT_BYTES));
        try {
            ledger.intend(intent(call, passed));
        } catch (LedgerException | RuntimeException unwritable) {
            return new NotSent(CallProblems.noIntent(unwritable));
        }
        call.sent(time.instant());
        return classifier.outcomeOf(() -> session.callTool(
                tool.name(), passed.arguments(), source.timeouts().start(Timeout.CALL), cancellation));
    }

    private CallIntent intent(CheckedCall call, Verdict.Passed passed) {
        var redacted = new JsonRedactor(passed.source().redactor()).redact(passed.arguments());
        return new CallIntent(
                call.head(),
                passed.tool().digest(),
                StrictJson.text(redacted.node()),
                (int) JsonSize.of(passed.arguments()),
                time.instant());
    }

    /// Once more over the problem as a whole: whoever wrote a part of it may have quoted a server.
    private static Outcome redacted(Outcome outcome, ToolSource source) {
        var redactor = source.redactor();
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> succeeded;
            case Outcome.Failed failed ->
                new Outcome.Failed(Classifier.redacted(failed.problem(), redactor), failed.result());
            case Refused refused -> new Refused(Classifier.redacted(refused.problem(), redactor));
            case NotSent notSent -> new NotSent(Classifier.redacted(notSent.problem(), redactor));
            case Outcome.Unknown unknown -> new Outcome.Unknown(Classifier.redacted(unknown.problem(), redactor));
        };
    }

    private CallReport settle(CheckedCall call, Outcome outcome) {
        long millis = call.millis();
        return new CallReport(call.callId(), call.server(), call.tool(), recorded(call, outcome, millis), millis);
    }

    private Outcome recorded(CheckedCall call, Outcome outcome, long millis) {
        var sent = outcome instanceof NotSent ? null : call.sent();
        try {
            ledger.settle(new CallSettlement(call.head(), sent, outcome, time.instant(), millis));
            return outcome;
        } catch (LedgerException | RuntimeException unwritable) {
            return switch (outcome) {
                case Refused refused -> refused;
                case NotSent notSent -> notSent;
                case Outcome.Succeeded s -> new Outcome.Unknown(CallProblems.noOutcome(unwritable));
                case Outcome.Failed f -> new Outcome.Unknown(CallProblems.noOutcome(unwritable));
                case Outcome.Unknown unknown -> unknown;
            };
        }
    }

    /// Returns when the calls in flight have been recorded, and closes the ledger. For after the servers have
    /// stopped, which settles them all.
    public void close() {
        close(new Cancellation());
    }

    /// As [#close], and quickly once `hurried` says so.
    public void close(Cancellation hurried) {
        var usual = Deadline.after(CLOSING, Timeout.CLOSE);
        var least = Deadline.after(HURRIED, Timeout.CLOSE);
        try {
            // In vain only if a call hangs: then whoever opens the records next settles it.
            boolean idle = false;
            while (!idle && !(hurried.requested() ? least : usual).expired()) {
                idle = inFlight.writeLock().tryLock(GLANCE.toNanos(), TimeUnit.NANOSECONDS);
            }
            if (idle) {
                inFlight.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ledger.close();
    }
}
