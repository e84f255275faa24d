package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest.ArgumentsSource;
import dev.postern.call.Outcome;
import dev.postern.call.ToolResult;
import dev.postern.host.Host;
import dev.postern.run.Approver;
import dev.postern.run.PendingApprovals;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import dev.postern.wire.StrictJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A host whose answers a test decides.
final class FakeHost implements Host {
    static final String CALL_ID = "call_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e";

    final List<ServerStatus> servers = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    Contained containment = new Contained("unshare", "Install bubblewrap.");
    final Map<String, Supplier<Answer<ServerTools>>> tools = new HashMap<>();
    final Map<String, Supplier<Answer<List<ListedTool>>>> listed = new HashMap<>();
    /// By tool name.
    final Map<String, Outcome> outcomes = new HashMap<>();
    /// By tool name; `{"type":"object"}` otherwise.
    final Map<String, String> schemas = new HashMap<>();
    final Map<String, String> stderr = new HashMap<>();
    /// What could not be ended.
    final List<Problem> left = new ArrayList<>();

    final List<ObjectNode> sent = new ArrayList<>();
    Runnable duringCall = () -> {};

    /// What ends the waiting that was begun last.
    @Nullable
    Cancellation asked;

    Runnable whenClosed = () -> {};
    volatile boolean closed;

    @Override
    public Status status() {
        return new Status("this command", null, containment, servers);
    }

    @Override
    public Answer<ServerTools> tools(String server, Cancellation cancellation) {
        asked = cancellation;
        var answer = tools.get(server);
        return answer == null ? new Answer.Not<>(unknownServer(server)) : answer.get();
    }

    @Override
    public Answer<List<ListedTool>> discover(String server, Cancellation cancellation) {
        asked = cancellation;
        var answer = listed.get(server);
        return answer == null ? new Answer.Not<>(unknownServer(server)) : answer.get();
    }

    @Override
    public CallReport call(String server, String tool, ArgumentsSource arguments, Cancellation cancellation) {
        duringCall.run();
        var outcome = outcomes.get(tool);
        if (outcome == null) {
            outcome = new Outcome.Refused(unknownServer(server));
        } else if (!isBeforeArguments(outcome)) {
            switch (arguments.arguments(json(schemas.getOrDefault(tool, "{\"type\":\"object\"}")))) {
                case Answer.Here<ObjectNode> here -> sent.add(here.value());
                case Answer.Not<ObjectNode> not -> outcome = new Outcome.Refused(not.problem());
            }
        }
        return new CallReport(CALL_ID, server, tool, outcome, 12);
    }

    private static boolean isBeforeArguments(Outcome outcome) {
        return outcome instanceof Outcome.Refused || outcome instanceof Outcome.NotSent;
    }

    /// What a run does; a problem where none begins.
    @Nullable
    Agent agent;

    final PendingApprovals approvals = new PendingApprovals();

    /// One run of an agent.
    interface Agent {
        Answer<RunReport> run(RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation);
    }

    @Override
    public Answer<RunReport> run(
            RunOrder order, Approver approver, Consumer<RunEvent> events, Cancellation cancellation) {
        return Objects.requireNonNull(agent).run(order, approver, events, cancellation);
    }

    @Override
    public boolean cancelRun(String runId) {
        return runId.equals(runToCancel);
    }

    String runToCancel = "";

    @Override
    public PendingApprovals approvals() {
        return approvals;
    }

    @Override
    public String stderrTail(String server) {
        return stderr.getOrDefault(server, "");
    }

    @Override
    public List<String> notices() {
        return notices;
    }

    @Override
    public List<Problem> stop() {
        closed = true;
        whenClosed.run();
        return left;
    }

    static Problem unknownServer(String server) {
        return new Problem(
                ErrorCode.USAGE_UNKNOWN_SERVER,
                "There is no server " + server + ".",
                "`postern mcp servers` shows which are configured.");
    }

    static JsonNode json(String text) {
        if (StrictJson.parse(text) instanceof StrictJson.Valid(JsonNode value)) {
            return value;
        }
        throw new IllegalArgumentException(text);
    }

    /// A result with one text block for each of `texts`.
    static ToolResult result(String... texts) {
        var content = JsonNodeFactory.instance.arrayNode();
        for (var text : texts) {
            content.addObject().put("type", "text").put("text", text);
        }
        return new ToolResult(content, null, false, new TreeMap<>(), false, 0);
    }

    static ToolResult structured(@Nullable String json, String... texts) {
        var plain = result(texts);
        return new ToolResult(plain.content(), json == null ? null : json(json), false, new TreeMap<>(), false, 0);
    }
}
