package dev.postern.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.wire.Message;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What a server gets when it asks us something (WIR-5). However much it asks, and whether it reads its
/// answers or not, the memory spent on it is bounded.
final class ServerRequests {
    /// Answers that may wait to be written: a server that doesn't read them gets no more.
    static final int MAX_UNWRITTEN_ANSWERS = 32;

    /// A longer id is not repeated: it has no purpose but to make us carry it.
    static final int MAX_ID_CHARS = 256;

    /// Violations tolerated in the stateless era: as many as lines of noise, for the same reason.
    static final int MAX_VIOLATIONS = 16;

    private static final int METHOD_NOT_FOUND = -32601;

    private final Connection connection;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicInteger unwritten = new AtomicInteger();
    private final AtomicInteger violations = new AtomicInteger();
    private volatile Era era = Era.HANDSHAKE;

    ServerRequests(Connection connection) {
        this.connection = connection;
    }

    void speak(Era era) {
        this.era = era;
    }

    long refused() {
        return refused.get();
    }

    void received(Message.Request request) {
        switch (era) {
            case HANDSHAKE -> answer(request);
            case STATELESS -> violation();
        }
    }

    private void answer(Message.Request request) {
        boolean ping = request.method().equals("ping");
        if (!ping) {
            refused.incrementAndGet();
        }
        if (request.id().isTextual() && request.id().textValue().length() > MAX_ID_CHARS) {
            return;
        }
        if (unwritten.incrementAndGet() > MAX_UNWRITTEN_ANSWERS) {
            unwritten.decrementAndGet();
            return;
        }
        var answer = ping
                ? new Message.Result(request.id(), JsonNodeFactory.instance.objectNode())
                : new Message.Failure(request.id(), METHOD_NOT_FOUND, "Method not found", null);
        var _ = connection.send(answer).thenAccept(_ -> unwritten.decrementAndGet());
    }

    private void violation() {
        refused.incrementAndGet();
        if (violations.incrementAndGet() == MAX_VIOLATIONS + 1) {
            connection.close(new Problem(
                    ErrorCode.WIRE_PROTOCOL,
                    "The server sent " + (MAX_VIOLATIONS + 1) + " requests of its own; protocol revision 2026-07-28"
                            + " forbids them (" + MAX_VIOLATIONS + " are tolerated).",
                    "Report this to the server's authors; if it also speaks an older revision, set"
                            + " \"protocol\": \"legacy\" for it in config.json."));
        }
    }
}
