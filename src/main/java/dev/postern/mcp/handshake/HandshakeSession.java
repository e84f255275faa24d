package dev.postern.mcp.handshake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.mcp.Era;
import dev.postern.mcp.Exchange;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A session that `initialize` has opened.
public final class HandshakeSession implements McpSession {
    private final Exchange exchange;
    private final String revision;

    public HandshakeSession(Exchange exchange, String revision) {
        this.exchange = exchange;
        this.revision = revision;
    }

    @Override
    public Era era() {
        return Era.HANDSHAKE;
    }

    @Override
    public String protocolVersion() {
        return revision;
    }

    @Override
    public Reply listTools(@Nullable String cursor, Deadline deadline) {
        var params = JsonNodeFactory.instance.objectNode();
        if (cursor != null) {
            params.put("cursor", cursor);
        }
        return exchange.request("tools/list", params, deadline, new Cancellation());
    }

    @Override
    public Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation) {
        var params = JsonNodeFactory.instance.objectNode().put("name", name);
        params.set("arguments", arguments);
        return exchange.request("tools/call", params, deadline, cancellation);
    }

    @Override
    public CompletableFuture<Problem> ended() {
        return exchange.ended();
    }

    @Override
    public Counters counters() {
        return exchange.counters();
    }
}
