package dev.postern.server;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Limits;
import dev.postern.base.Timeouts;
import dev.postern.catalog.ModelDefinition;
import dev.postern.catalog.Tool;
import dev.postern.policy.ServerRule;
import dev.postern.secret.Redactor;
import java.util.List;

/// Where tools come from, as a call sees it: an MCP server, the tools of our own, or what a run has for itself.
/// Safe for use by many threads.
public interface ToolSource {
    /// The id that stands in policy, records and messages.
    String id();

    ServerRule rule();

    Limits limits();

    Timeouts timeouts();

    CallGate gate();

    /// The redactor over every secret given to anybody so far.
    Redactor redactor();

    /// Opens the source if nobody did, and waits until it can be used, has failed, or the caller cancels.
    Readiness ready(Cancellation cancellation);

    /// What it offers. A source that has to be opened to say so is opened.
    default Answer<List<Tool>> tools(Cancellation cancellation) {
        return switch (ready(cancellation)) {
            case Readiness.Ready ready ->
                new Answer.Here<>(ready.connected().catalog().tools());
            case Readiness.NotReady notReady -> new Answer.Not<>(notReady.problem());
        };
    }

    /// One of its tools as a model is told about it.
    default ModelDefinition define(Tool tool) {
        return ModelDefinition.of(tool);
    }
}
