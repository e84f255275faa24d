package dev.postern.mcp.opening;

import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Connection;
import dev.postern.mcp.Era;
import dev.postern.mcp.Exchange;
import dev.postern.mcp.Exchange.Asked;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Waiting;
import dev.postern.mcp.handshake.Handshake;
import dev.postern.mcp.handshake.HandshakeSession;
import dev.postern.mcp.stateless.Discovery;
import dev.postern.mcp.stateless.StatelessSession;
import dev.postern.wire.Correlator.Abandoned;
import dev.postern.wire.Correlator.Answered;
import dev.postern.wire.Correlator.Ended;
import dev.postern.wire.Correlator.Settled;
import dev.postern.wire.Message;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Opening a session on one connection: asks its questions in order and lets the first valid answer decide
/// (WIR-1).
///
/// A question that got no answer in time stays open while the next one is asked, because a server that is
/// still booting answers both once it is up; whichever valid answer comes first wins, also one to the earlier
/// question. A `server/discover` that answers while `initialize` is out therefore opens a stateless session,
/// and the later answer to `initialize` is dropped as late. An answer that decides nothing (an error that no
/// modern server gives, a result that makes no sense) moves on to the next question at once. A recognised
/// modern error decides as well: it comes from a server of the stateless era, which then gets its requests
/// without having been discovered.
///
/// For one use, by one thread.
final class Opening {
    private final Connection connection;
    private final List<Question> questions;
    private final Deadline startup;
    private final Timeouts timeouts;
    private final ClientInfo client;
    private final Findings findings;

    private final Exchange exchange;
    private final Map<Question, Asked> open = new EnumMap<>(Question.class);
    private final Map<Question, Problem> refusals = new EnumMap<>(Question.class);
    private boolean modern;

    Opening(
            Connection connection,
            List<Question> questions,
            Deadline startup,
            Timeouts timeouts,
            ClientInfo client,
            Findings findings) {
        this.connection = connection;
        this.questions = questions;
        this.startup = startup;
        this.timeouts = timeouts;
        this.client = client;
        this.findings = findings;
        this.exchange = Exchange.over(connection);
    }

    /// How it went. Unless it is [Opened], the connection is closed.
    sealed interface Result {}

    record Opened(McpSession session, Connection connection) implements Result {}

    record Failed(Problem problem) implements Result {}

    /// The peer ended before it answered the probe, and the handshake era is still untried.
    record EndedOnProbe(Problem problem) implements Result {}

    Result run() {
        if (!questions.contains(Question.INITIALIZE)) {
            exchange.speak(Era.STATELESS);
        }
        var result = askAll();
        open.values().forEach(Asked::abandon);
        switch (result) {
            case Opened _ -> connection.handshakeDone();
            case Failed failed -> connection.close(failed.problem());
            case EndedOnProbe ended -> connection.close(ended.problem());
        }
        return result;
    }

    private Result askAll() {
        var silence = startup;
        for (var question : questions) {
            if (startup.expired() || modern) {
                break;
            }
            silence = patience(question);
            ask(question);
            var result = listen(question, silence);
            if (result != null) {
                return result;
            }
        }
        return new Failed(undecided(silence));
    }

    /// Silence of the question that had the last word says more than a refusal of the other one.
    private Problem undecided(Deadline silence) {
        var last = modern ? Question.DISCOVER : questions.getLast();
        var first = modern ? Question.DISCOVER : Question.INITIALIZE;
        var refusal = refusals.getOrDefault(first, refusals.get(Question.DISCOVER));
        return refusal == null || open.containsKey(last) ? findings.silence(open.keySet(), silence) : refusal;
    }

    /// Each question has the time of a request. Only the last one, after silence, has all the time left: the
    /// server is still starting then, and start-up has a deadline of its own. The one before leaves it some,
    /// however long a request may take.
    private Deadline patience(Question question) {
        var request = startup.earlier(timeouts.start(Timeout.REQUEST));
        if (question != questions.getLast()) {
            return request.earlier(
                    Deadline.after(startup.remaining().multipliedBy(3).dividedBy(4), Timeout.STARTUP));
        }
        return open.isEmpty() ? request : startup;
    }

    private void ask(Question question) {
        open.put(question, exchange.ask(question.method(), question.params(client)));
    }

    /// Waits until an answer decides (returned), or there is no point in waiting before the next question
    /// (null).
    private @Nullable Result listen(Question current, Deadline patience) {
        while (!open.isEmpty()) {
            if (Waiting.until(firstToSettle(), patience) == null) {
                return null;
            }
            for (var question : questions) {
                var result = judgeIfSettled(question);
                if (result != null) {
                    return result;
                }
            }
            if (!open.containsKey(current) && current != questions.getLast()) {
                return null;
            }
        }
        return null;
    }

    private CompletableFuture<Object> firstToSettle() {
        var all = new CompletableFuture<?>[open.size()];
        int count = 0;
        for (var asked : open.values()) {
            all[count++] = asked.settled();
        }
        return CompletableFuture.anyOf(all);
    }

    private @Nullable Result judgeIfSettled(Question question) {
        var asked = open.get(question);
        if (asked == null) {
            return null;
        }
        var settled = asked.settled().getNow(null);
        return settled == null ? null : judge(question, asked, settled);
    }

    private @Nullable Result judge(Question question, Asked asked, Settled settled) {
        return switch (settled) {
            case Ended ended -> ended(ended.reason());
            case Abandoned _ -> ended(exchange.brokenWrite(asked));
            case Answered answered -> {
                open.remove(question);
                yield switch (question) {
                    case DISCOVER -> discovered(answered.response());
                    case INITIALIZE -> initialized(answered.response());
                };
            }
        };
    }

    private @Nullable Result discovered(Message.Response response) {
        var answer = switch (response) {
            case Message.Result result -> Discovery.read(result.result());
            case Message.Failure failure -> Discovery.read(failure.code(), failure.data());
        };
        return switch (answer) {
            case Discovery.Agreed _ -> stateless();
            case Discovery.Recognised _ -> stateless();
            case Discovery.AskAgain _ -> {
                if (modern) {
                    yield new Failed(findings.refusesOwnRevision());
                }
                onlyDiscover();
                yield null;
            }
            case Discovery.OtherRevisions other -> new Failed(findings.otherRevisions(other.supported()));
            case Discovery.NotOfThisEra not -> {
                refusals.put(Question.DISCOVER, findings.notModern(response, not.reason()));
                yield null;
            }
        };
    }

    /// The server is of the stateless era for certain, so the handshake is out of the question from now on.
    private void onlyDiscover() {
        modern = true;
        exchange.speak(Era.STATELESS);
        var handshake = open.remove(Question.INITIALIZE);
        if (handshake != null) {
            handshake.abandon();
        }
        ask(Question.DISCOVER);
    }

    private @Nullable Result initialized(Message.Response response) {
        return switch (response) {
            case Message.Failure failure -> {
                refusals.put(Question.INITIALIZE, findings.refused(Handshake.METHOD, failure));
                yield null;
            }
            case Message.Result result ->
                switch (Handshake.read(result.result())) {
                    case Handshake.Agreed agreed -> handshake(agreed.revision());
                    case Handshake.OtherRevision other -> new Failed(findings.otherRevision(other.offered()));
                    case Handshake.Invalid invalid -> {
                        refusals.put(Question.INITIALIZE, findings.invalid(Handshake.METHOD, invalid.reason()));
                        yield null;
                    }
                };
        };
    }

    private Result stateless() {
        exchange.speak(Era.STATELESS);
        return new Opened(new StatelessSession(exchange, client), connection);
    }

    private Result handshake(String revision) {
        exchange.speak(Era.HANDSHAKE);
        exchange.tell(Handshake.INITIALIZED, null);
        return new Opened(new HandshakeSession(exchange, revision), connection);
    }

    private Result ended(Problem reason) {
        var problem = findings.ended(reason, open.keySet());
        boolean handshakeUntried = questions.contains(Question.INITIALIZE)
                && !modern
                && !answered(Question.INITIALIZE)
                && open.containsKey(Question.DISCOVER)
                && !answered(Question.DISCOVER);
        return handshakeUntried && !closedByUs(reason) ? new EndedOnProbe(problem) : new Failed(problem);
    }

    private boolean answered(Question question) {
        var asked = open.get(question);
        return refusals.containsKey(question)
                || (asked != null && asked.settled().getNow(null) instanceof Answered);
    }

    /// A peer whose bytes we could not bear has not ended by itself: a fresh one would send the same.
    private static boolean closedByUs(Problem reason) {
        return reason.code() == ErrorCode.WIRE_NOISE
                || reason.code() == ErrorCode.WIRE_FRAME_TOO_LARGE
                || reason.code() == ErrorCode.WIRE_PROTOCOL;
    }
}
