package dev.postern.control;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.base.Threads;
import dev.postern.wire.FrameDecoder;
import dev.postern.wire.Message;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One conversation with the worker, from the client's side. Used once. Loads no more than it needs: every
/// forwarded command pays for it.
public final class Client implements AutoCloseable {
    private static final int BUFFER = 65_536;
    private static final IntNode ID = IntNode.valueOf(1);

    private final LineChannel channel;
    private final Deque<Message> received = new ArrayDeque<>();
    private final FrameDecoder decoder = new FrameDecoder("The worker", Protocol.FRAME_BYTES, received::add);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile boolean overdue;

    private Client(SocketChannel channel) {
        this.channel = new LineChannel(channel);
        decoder.handshakeDone();
    }

    /// Null when nobody listens. A worker that is stuck may not even let the connection in.
    ///
    /// @param run the directory `run/` of the data directory
    /// @param patience within which the worker has to have begun to answer the request
    public static @Nullable Client connect(Path run, Duration patience) {
        try {
            var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            var client = new Client(channel);
            try {
                client.hurry(patience);
                channel.connect(UnixDomainSocketAddress.of(SocketPlace.toConnect(run)));
                return client;
            } catch (IOException | RuntimeException e) {
                if (client.overdue) {
                    return client;
                }
                client.close();
                return null;
            }
        } catch (IOException e) {
            return null;
        }
    }

    /// What the worker made of a command line. A plain record: a pattern switch would have the JDK generate a
    /// class at run time, in a program that is to be over by then. So it is in the rest of this class.
    ///
    /// @param code the command's exit code, where nothing else is said
    /// @param local not a command for the worker: to be run here
    /// @param vanished the worker ended or hung up in the middle
    /// @param problem why it refused, else null
    public record Ended(
            int code,
            boolean local,
            boolean vanished,
            @Nullable Problem problem) {
        static Ended exited(int code) {
            return new Ended(code, false, false, null);
        }

        static Ended locally() {
            return new Ended(0, true, false, null);
        }

        static Ended vanish() {
            return new Ended(0, false, true, null);
        }

        static Ended refused(Problem problem) {
            return new Ended(0, false, false, problem);
        }
    }

    /// Forwards one command line and serves its streams until it has ended. A worker that hangs up before it
    /// has taken the command, since it is about to end perhaps, has not begun it.
    public Ended run(RunRequest request, OwnStreams streams) {
        if (!send(new Message.Request(ID, Protocol.RUN, request.params()))) {
            return Ended.locally();
        }
        var message = next();
        answered.countDown();
        if (message == null) {
            return overdue ? Ended.refused(silent()) : Ended.locally();
        }
        while (message != null) {
            var ended = take(message, streams);
            if (ended != null) {
                return ended;
            }
            message = next();
        }
        return Ended.vanish();
    }

    /// Asks the worker to cancel the command. From any thread; the command's end is still awaited.
    public void cancel() {
        try {
            channel.send(new Message.Notification(Protocol.CANCEL, null));
        } catch (IOException gone) {
            // Whoever waits for the answer sees that too.
        }
    }

    /// What the worker is and holds; see `worker status`.
    public Answer<ObjectNode> status() {
        return ask(Protocol.STATUS);
    }

    /// A worker that is about to end.
    ///
    /// @param process what it says that it is, null when it does not say so
    /// @param patience within which it will have ended
    public record Stopping(@Nullable ProcessIdentity process, Duration patience) {}

    /// Asks the worker to end. One that is ending already is not hurried.
    public Answer<Stopping> stop() {
        var answer = ask(Protocol.STOP);
        if (answer instanceof Answer.Not<ObjectNode> not) {
            return new Answer.Not<>(not.problem());
        }
        var said = ((Answer.Here<ObjectNode>) answer).value();
        return new Answer.Here<>(new Stopping(
                ProcessIdentity.parse(said.path(Protocol.PROCESS).asText()),
                Duration.ofMillis(said.path(Protocol.PATIENCE).asLong())));
    }

    private Answer<ObjectNode> ask(String method) {
        try {
            channel.send(new Message.Request(ID, method, Protocol.object().put(Protocol.CONTROL, Protocol.VERSION)));
        } catch (IOException gone) {
            // There may be an answer all the same.
        }
        var message = next();
        answered.countDown();
        if (message instanceof Message.Result result && result.result() instanceof ObjectNode object) {
            return new Answer.Here<>(object);
        }
        return new Answer.Not<>(message instanceof Message.Failure failure ? Protocol.problem(failure) : silent());
    }

    private static Problem silent() {
        return new Problem(
                ErrorCode.WORKER_FAILED,
                "The worker does not answer.",
                "See `postern worker logs`; if it hangs, end the process that run/worker.pid names.");
    }

    /// Closes the connection when `patience` ends before the first answer comes: that frees whoever connects,
    /// writes or reads.
    private void hurry(Duration patience) {
        Threads.platform("client-patience", () -> {
            try {
                if (!answered.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                    overdue = true;
                    channel.close();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private @Nullable Ended take(Message message, OwnStreams streams) {
        if (message instanceof Message.Notification notification) {
            var params = notification.params();
            if (notification.method().equals(Protocol.OUTPUT) && params != null) {
                streams.write(
                        params.path(Protocol.STREAM).asInt(),
                        params.path(Protocol.BASE64).asText());
            }
            return null;
        }
        if (message instanceof Message.Request request) {
            serve(request, streams);
            return null;
        }
        if (message instanceof Message.Failure failure) {
            return failure.code() == Protocol.NOT_TAKEN ? Ended.locally() : Ended.refused(Protocol.problem(failure));
        }
        return message instanceof Message.Result result
                ? Ended.exited(result.result().path(Protocol.EXIT_CODE).asInt(1))
                : Ended.vanish();
    }

    private void serve(Message.Request request, OwnStreams streams) {
        var params = request.params() == null ? Protocol.object() : request.params();
        if (request.method().equals(Protocol.FLUSH)) {
            answer(request, streams.flush(params.path(Protocol.STREAM).asInt()));
        } else if (request.method().equals(Protocol.WAITING)) {
            answer(request, streams.waiting());
        } else if (request.method().equals(Protocol.READ)) {
            // Whoever types may take their time, and meanwhile there may be output.
            Threads.platform("client-input", () -> answer(request, streams.read(params)));
        } else {
            answer(request, Protocol.object().put(Protocol.ERROR, "no such method"));
        }
    }

    private void answer(Message.Request request, ObjectNode answer) {
        try {
            channel.send(new Message.Result(request.id(), answer));
        } catch (IOException gone) {
            // Whoever reads sees that too.
        }
    }

    /// Whether the request can be one line of the protocol.
    private boolean send(Message request) {
        try {
            return channel.sendWithin(request, Protocol.FRAME_BYTES);
        } catch (IllegalArgumentException unwritable) {
            return false;
        } catch (IOException gone) {
            // The worker may have said why before it hung up.
            return true;
        }
    }

    /// Null at the end, and for whatever a worker would not send.
    private @Nullable Message next() {
        try {
            while (received.isEmpty()) {
                buffer.clear();
                if (channel.read(buffer) < 0) {
                    return null;
                }
                var verdict = decoder.feed(buffer.array(), 0, buffer.position());
                if (verdict != null && received.isEmpty()) {
                    return null;
                }
            }
            return received.poll();
        } catch (IOException gone) {
            return null;
        }
    }

    @Override
    public void close() {
        answered.countDown();
        channel.close();
    }
}
