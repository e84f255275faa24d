package dev.postern.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Written;
import dev.postern.wire.Message;
import dev.postern.wire.StrictJson;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A peer in memory. What it does with a message runs inside `send`, so that a test sees one order of events
/// only.
public final class FakeConnection implements Connection {
    public static final Problem EXITED =
            new Problem(ErrorCode.START_EXITED, "The server exited with code 1.", "See --show-stderr.");

    private final BiConsumer<FakeConnection, Message> peer;
    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable Problem ended;
    private volatile boolean handshakeDone;
    private volatile long noise;
    private volatile Function<Message, CompletableFuture<Written>> writer =
            _ -> CompletableFuture.completedFuture(Written.WHOLE);

    private FakeConnection(BiConsumer<FakeConnection, Message> peer) {
        this.peer = peer;
    }

    /// A peer that reacts to every message it reads.
    public static FakeConnection with(BiConsumer<FakeConnection, Message> peer) {
        return new FakeConnection(peer);
    }

    /// A peer that reads everything and says nothing.
    public static FakeConnection silent() {
        return with((_, _) -> {});
    }

    /// Decides what becomes of messages from now on.
    public void writes(Function<Message, CompletableFuture<Written>> outcome) {
        writer = outcome;
    }

    /// The peer says something.
    public void says(Message message) {
        Objects.requireNonNull(receiver).received(message);
    }

    public void answers(Message request, String result) {
        says(new Message.Result(((Message.Request) request).id(), json(result)));
    }

    public void answers(Message request, int code, String message, @Nullable JsonNode data) {
        says(new Message.Failure(((Message.Request) request).id(), code, message, data));
    }

    /// The peer is gone.
    public void ends() {
        close(EXITED);
    }

    public List<Message> sent() {
        return sent;
    }

    /// The methods of what was sent: `#` stands for an answer.
    public List<String> methods() {
        return sent.stream()
                .map(message -> switch (message) {
                    case Message.Request request -> request.method();
                    case Message.Notification notification -> notification.method();
                    case Message.Response _ -> "#";
                })
                .toList();
    }

    public Message.Request request(int index) {
        return (Message.Request) sent.get(index);
    }

    public @Nullable Problem ended() {
        return ended;
    }

    public boolean isHandshakeDone() {
        return handshakeDone;
    }

    public static ObjectNode json(String text) {
        return (ObjectNode) ((StrictJson.Valid) StrictJson.parse(text)).value();
    }

    @Override
    public void open(Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public CompletableFuture<Written> send(Message message) {
        if (ended != null) {
            return CompletableFuture.completedFuture(Written.NOT_AT_ALL);
        }
        sent.add(message);
        var written = writer.apply(message);
        if (written.getNow(Written.NOT_AT_ALL) == Written.WHOLE) {
            peer.accept(this, message);
        }
        return written;
    }

    /// From now on this many lines count as noise.
    public void noise(long lines) {
        noise = lines;
    }

    @Override
    public long noise() {
        return noise;
    }

    @Override
    public void handshakeDone() {
        handshakeDone = true;
    }

    @Override
    public void frameLimit(int bytes, Limit key) {}

    @Override
    public void close(Problem reason) {
        synchronized (this) {
            if (ended != null) {
                return;
            }
            ended = reason;
        }
        Objects.requireNonNull(receiver).ended(reason);
    }
}
