package dev.postern.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Ids;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Stopwatch;
import dev.postern.base.Timeout;
import dev.postern.base.VisibleText;
import dev.postern.call.CallLedger.LedgerException;
import dev.postern.call.Outcome.NotSent;
import dev.postern.call.Outcome.Refused;
import dev.postern.catalog.Tool;
import dev.postern.policy.Decision;
import dev.postern.policy.Policy;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import dev.postern.server.Connected;
import dev.postern.server.Readiness;
import dev.postern.server.ServerPool;
import dev.postern.server.ServerSupervisor;
import dev.postern.wire.JsonSize;
import dev.postern.wire.StrictJson;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

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

    private final ServerPool pool;
    private final CallLedger ledger;
    private final Ids ids;
    private final InstantSource time;

    /// Read by each call, written by whoever waits for them all.
    private final ReentrantReadWriteLock inFlight = new ReentrantReadWriteLock();

    public CallService(ServerPool pool, CallLedger ledger, Ids ids, InstantSource time) {
        this.pool = pool;
        this.ledger = ledger;
        this.ids = ids;
        this.time = time;
    }

    /// Decides, starts the server when needed, checks, records, sends, classifies, redacts, shortens, records.
    ///
    /// Checked in the order of CLI-5: whether there is such a server, what the configuration alone refuses, start
    /// and discovery, the tool, its arguments.
    public CallReport call(CallRequest request, Cancellation cancellation) {
        inFlight.readLock().lock();
        try {
            return recorded(request, cancellation);
        } finally {
            inFlight.readLock().unlock();
        }
    }

    private CallReport recorded(CallRequest request, Cancellation cancellation) {
        var watch = new Stopwatch();
        ledger.prepare();
        var found = pool.find(request.server());
        var call = new Attempt(head(request, found));
        var outcome = switch (found) {
            case Answer.Not<ServerSupervisor> unknown -> new Refused(unknown.problem());
            case Answer.Here<ServerSupervisor> server ->
                redacted(decideAndCall(call, server.value(), request, cancellation), server.value());
        };
        var recorded = settle(call, outcome, watch.millis());
        return new CallReport(call.head.callId(), request.server(), request.tool(), recorded, watch.millis());
    }

    /// Names are recorded as they were given, which may be anything: short, and without a secret that was typed in
    /// the wrong place.
    private CallHead head(CallRequest request, Answer<ServerSupervisor> found) {
        var redactor = switch (found) {
            case Answer.Not<ServerSupervisor> unknown -> Redactor.none();
            case Answer.Here<ServerSupervisor> server -> server.value().redactor();
        };
        return new CallHead(
                ids.call(),
                ids.run(),
                VisibleText.line(request.server(), LONGEST_NAME),
                VisibleText.line(redactor.redact(request.tool()).text(), LONGEST_NAME),
                request.mode(),
                time.instant());
    }

    /// Returns when the calls in flight have been recorded, and closes the ledger. For after the pool has stopped,
    /// which settles them all.
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

    /// One call on its way. Confined to its caller's thread.
    private static final class Attempt {
        private final CallHead head;
        private @Nullable Instant sent;

        Attempt(CallHead head) {
            this.head = head;
        }
    }

    private Outcome decideAndCall(
            Attempt call, ServerSupervisor server, CallRequest request, Cancellation cancellation) {
        var decision = Policy.decide(server.rule(), request.tool(), request.mode());
        return switch (decision) {
            case Decision.Refuse refuse -> new Refused(refuse.problem());
            case Decision.Ask ask -> new Refused(nobodyToAsk(request));
            case Decision.Allow allow ->
                switch (server.ready(cancellation)) {
                    case Readiness.NotReady notReady -> new NotSent(notReady.problem());
                    case Readiness.Ready ready -> withTool(call, server, ready.connected(), request, cancellation);
                };
        };
    }

    private Outcome withTool(
            Attempt call,
            ServerSupervisor server,
            Connected connected,
            CallRequest request,
            Cancellation cancellation) {
        var tool = connected.catalog().tool(request.tool());
        if (tool == null) {
            return new Refused(
                    notOffered(Objects.requireNonNull(connected.catalog().refusal(request.tool()))));
        }
        return switch (request.arguments().arguments(tool.inputSchema())) {
            case Answer.Not<ObjectNode> wrong -> new Refused(wrong.problem());
            case Answer.Here<ObjectNode> given -> {
                var breach = ArgumentCheck.breach(
                        server.id(), tool, given.value(), server.limits().get(Limit.ARGUMENT_BYTES));
                yield breach != null
                        ? new Refused(breach)
                        : inTurn(new Prepared(call, tool, given.value()), server, connected, cancellation);
            }
        };
    }

    /// A call that was decided and checked, and only has to be sent.
    private record Prepared(Attempt call, Tool tool, ObjectNode arguments) {}

    private Outcome inTurn(Prepared prepared, ServerSupervisor server, Connected connected, Cancellation cancellation) {
        if (!server.gate().enter(server.timeouts().start(Timeout.CALL), cancellation)) {
            return new NotSent(cancellation.requested() ? cancelledBefore(server.id()) : busy(server.id()));
        }
        try {
            return send(prepared, server, connected, cancellation);
        } finally {
            server.gate().leave();
        }
    }

    private Outcome send(Prepared prepared, ServerSupervisor server, Connected connected, Cancellation cancellation) {
        if (cancellation.requested()) {
            return new NotSent(cancelledBefore(server.id()));
        }
        var tool = prepared.tool();
        var session = connected.session();
        var classifier = new Classifier(
                server.id(),
                tool,
                session.era(),
                server::redactor,
                server.limits().get(Limit.RESULT_BYTES));
        try {
            ledger.intend(intent(prepared, server));
        } catch (LedgerException | RuntimeException unwritable) {
            return new NotSent(noIntent(unwritable));
        }
        prepared.call().sent = time.instant();
        return classifier.outcomeOf(() -> session.callTool(
                tool.name(), prepared.arguments(), server.timeouts().start(Timeout.CALL), cancellation));
    }

    private CallIntent intent(Prepared prepared, ServerSupervisor server) {
        var redacted = new JsonRedactor(server.redactor()).redact(prepared.arguments());
        return new CallIntent(
                prepared.call().head,
                prepared.tool().digest(),
                StrictJson.text(redacted.node()),
                (int) JsonSize.of(prepared.arguments()),
                time.instant());
    }

    /// Once more over the problem as a whole: whoever wrote a part of it may have quoted a server.
    private static Outcome redacted(Outcome outcome, ServerSupervisor server) {
        var redactor = server.redactor();
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> succeeded;
            case Outcome.Failed failed ->
                new Outcome.Failed(Classifier.redacted(failed.problem(), redactor), failed.result());
            case Refused refused -> new Refused(Classifier.redacted(refused.problem(), redactor));
            case NotSent notSent -> new NotSent(Classifier.redacted(notSent.problem(), redactor));
            case Outcome.Unknown unknown -> new Outcome.Unknown(Classifier.redacted(unknown.problem(), redactor));
        };
    }

    private Outcome settle(Attempt call, Outcome outcome, long millis) {
        var sent = outcome instanceof NotSent ? null : call.sent;
        try {
            ledger.settle(new CallSettlement(call.head, sent, outcome, time.instant(), millis));
            return outcome;
        } catch (LedgerException | RuntimeException unwritable) {
            return switch (outcome) {
                case Refused refused -> refused;
                case NotSent notSent -> notSent;
                case Outcome.Succeeded s -> new Outcome.Unknown(noOutcome(unwritable));
                case Outcome.Failed f -> new Outcome.Unknown(noOutcome(unwritable));
                case Outcome.Unknown unknown -> unknown;
            };
        }
    }

    private static Problem notOffered(Problem why) {
        return new Problem(why.code(), why.message() + " Nothing was sent.", why.next());
    }

    private static Problem nobodyToAsk(CallRequest request) {
        return new Problem(
                ErrorCode.POLICY_APPROVAL,
                "The tool \"" + request.tool() + "\" of the server \"" + request.server()
                        + "\" needs its owner's approval, and nobody is there to ask. Nothing was sent.",
                "Call it yourself with `postern call " + request.server() + " " + request.tool()
                        + "`, or set \"approval\": \"auto\" for the server.");
    }

    private static Problem busy(String server) {
        return new Problem(
                ErrorCode.SERVER_BUSY,
                "Another call was in flight on the server \"" + server + "\" for the whole of " + Timeout.CALL.key()
                        + ". Nothing was sent.",
                "Try again, or set \"parallel\": true for the server if it can take several calls at once.");
    }

    private static Problem cancelledBefore(String server) {
        return new Problem(
                ErrorCode.CANCELLED,
                "The call was cancelled before it was sent to the server \"" + server + "\".",
                "Nothing was sent; call again when you like.");
    }

    private static Problem noIntent(Exception unwritable) {
        var why = why(unwritable);
        return new Problem(
                why.code(),
                "The call could not be recorded: " + Classifier.withoutFullStop(why.message()) + ". Nothing was sent.",
                why.next());
    }

    private static Problem noOutcome(Exception unwritable) {
        var why = why(unwritable);
        return new Problem(
                why.code(),
                "The call was sent and answered, but how it ended could not be recorded: "
                        + Classifier.withoutFullStop(why.message()) + ".",
                why.next() + " And check with the server before you call again.");
    }

    private static Problem why(Exception fault) {
        return fault instanceof LedgerException told
                ? told.problem()
                : new Problem(
                        ErrorCode.STORAGE_UNWRITABLE,
                        fault.getMessage() == null ? fault.getClass().getSimpleName() : fault.getMessage(),
                        "Make room or repair the data directory, then try again.");
    }
}
