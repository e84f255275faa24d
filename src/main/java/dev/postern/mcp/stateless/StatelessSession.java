package dev.postern.mcp.stateless;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Era;
import dev.postern.mcp.Exchange;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A conversation in which every request stands for itself.
public final class StatelessSession implements McpSession {
    private final Exchange exchange;
    private final ClientInfo client;

    public StatelessSession(Exchange exchange, ClientInfo client) {
        this.exchange = exchange;
        this.client = client;
    }

    @Override
    public Era era() {
        return Era.STATELESS;
    }

    @Override
    public String protocolVersion() {
        return Discovery.REVISION;
    }

    @Override
    public Reply listTools(@Nullable String cursor, Deadline deadline) {
        var params = RequestMeta.params(client);
        if (cursor != null) {
            params.put("cursor", cursor);
        }
        return exchange.request("tools/list", params, deadline, new Cancellation());
    }

    @Override
    public Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation) {
        var params = RequestMeta.params(client).put("name", name);
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
