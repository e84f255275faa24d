package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.cli.render.Console;
import dev.postern.host.Records.CallRecord;
import dev.postern.host.Records.RunRecord;
import dev.postern.host.Records.RunSummary;
import dev.postern.host.Records.Turn;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How records are shown (CLI-8).
final class RecordText {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RecordText() {}

    /// `{runId, trigger, mode, state, startedAt, endedAt, sessionId?, code?, message?, next?, turns?,
    /// inputTokens?, outputTokens?, calls, firstCall?: {server, tool, outcome}}`; what is of agents only, only
    /// there.
    static ObjectNode object(Console console, RunSummary run) {
        var object = withoutCalls(console, run).put("calls", run.calls());
        var first = run.first();
        if (first != null) {
            object.putObject("firstCall")
                    .put("server", first.server())
                    .put("tool", first.tool())
                    .put("outcome", first.outcome());
        }
        return object;
    }

    /// As the summary, with `owner` and all of its calls.
    static ObjectNode object(Console console, RunRecord run) {
        var object = withoutCalls(console, run.summary()).put("owner", run.owner());
        var calls = object.putArray("calls");
        run.calls().forEach(call -> calls.add(object(console, call)));
        return object;
    }

    private static ObjectNode withoutCalls(Console console, RunSummary run) {
        var object = NODES.objectNode()
                .put("runId", run.id())
                .put("trigger", run.trigger())
                .put("mode", run.mode())
                .put("state", run.state())
                .put("startedAt", ServerText.time(run.started()))
                .put("endedAt", time(run.ended()));
        var agent = run.agent();
        if (agent.session() != null) {
            object.put("sessionId", agent.session());
        }
        if (agent.trouble() != null) {
            object.put("code", agent.trouble().code());
            object.put("message", agent.trouble().message());
            object.put("next", console.hint(agent.trouble().next()));
        }
        if (agent.turns() > 0) {
            object.put("turns", agent.turns());
            object.put("inputTokens", agent.inputTokens());
            object.put("outputTokens", agent.outputTokens());
        }
        return object;
    }

    /// A call as `call` answers it, with what was recorded besides.
    static ObjectNode object(Console console, CallRecord call) {
        var times = call.times();
        var object = NODES.objectNode()
                .put("callId", call.id())
                .put("runId", call.runId())
                .put("server", call.server())
                .put("tool", call.tool())
                .put("modelName", call.modelName())
                .put("mode", call.mode())
                .put("outcome", call.outcome());
        if (call.trouble() != null) {
            object.put("code", call.trouble().code());
            object.put("message", call.trouble().message());
            object.put("next", console.hint(call.trouble().next()));
        }
        result(object, call);
        object.put("durationMs", times.durationMillis());
        object.set("arguments", orNull(call.arguments()));
        return object.put("argumentBytes", call.argumentBytes())
                .put("digest", call.digest())
                .put("begunAt", ServerText.time(times.begun()))
                .put("intendedAt", time(times.intended()))
                .put("sentAt", time(times.sent()))
                .put("settledAt", time(times.settled()))
                .put("owner", call.owner());
    }

    /// `{number, firstRunId, firstPosition, lastPosition, askedAt, answeredAt, inputTokens, outputTokens,
    /// code?}`.
    static ObjectNode object(Turn turn) {
        var object = NODES.objectNode()
                .put("number", turn.number())
                .put("firstRunId", turn.firstRun())
                .put("firstPosition", turn.firstPosition())
                .put("lastPosition", turn.lastPosition())
                .put("askedAt", ServerText.time(turn.asked()))
                .put("answeredAt", time(turn.answered()))
                .put("inputTokens", turn.inputTokens())
                .put("outputTokens", turn.outputTokens());
        return turn.code() == null ? object : object.put("code", turn.code());
    }

    private static void result(ObjectNode object, CallRecord call) {
        var result = call.result();
        object.set("content", result == null ? NODES.arrayNode() : result.content());
        if (result != null && result.structuredContent() != null) {
            object.set("structuredContent", result.structuredContent());
        }
        object.put("truncated", result != null && result.truncated());
        object.set("omittedContent", result == null ? NODES.objectNode() : result.omittedContent());
        object.put("omittedStructuredContent", result != null && result.omittedStructuredContent());
        object.put("redacted", result == null ? 0 : result.redacted());
    }

    /// What a run did, in a cell: its one call, or how many.
    static String calls(RunSummary run) {
        var first = run.first();
        if (first == null) {
            return "-";
        }
        var called = first.server() + " " + first.tool() + ": " + orOpen(first.outcome());
        return run.calls() == 1 ? called : run.calls() + " calls, the first " + called;
    }

    static String orOpen(@Nullable String word) {
        return word == null ? "open" : word;
    }

    private static @Nullable String time(@Nullable Instant at) {
        return at == null ? null : ServerText.time(at);
    }

    private static JsonNode orNull(@Nullable JsonNode value) {
        return value == null ? NODES.nullNode() : value;
    }
}
