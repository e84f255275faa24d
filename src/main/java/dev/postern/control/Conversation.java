package dev.postern.control;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.natives.ProcessTable;
import dev.postern.wire.FrameDecoder;
import dev.postern.wire.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One client, from its first byte to the end of its one request. Its reading thread ends with it; a command
/// runs on a second one, which the client's silence, noise or end can't hold longer than its own deadlines do.
final class Conversation {
    /// From the connection to the request: a client of ours sends it at once.
    private static final int SPEAK_SECONDS = 5;

    private static final int BUFFER = 16_384;

    /// The exit code of a command that was cancelled before it knew what to do (CLI-5).
    private static final int CANCELLED = 130;

    private final LineChannel channel;
    private final ControlService service;
    private final Consumer<Conversation> ended;
    private final Cancellation cancellation = new Cancellation();
    private final RemoteStreams streams;
    private final CompletableFuture<Boolean> spoken = new CompletableFuture<>();
    private boolean requested;
    private boolean handedOver;
    private boolean misbehaved;

    Conversation(LineChannel channel, ControlService service, Consumer<Conversation> ended) {
        this.channel = channel;
        this.service = service;
        this.ended = ended;
        this.streams = new RemoteStreams(channel);
    }

    void begin() {
        var _ = spoken.completeOnTimeout(false, SPEAK_SECONDS, TimeUnit.SECONDS).thenAccept(inTime -> {
            if (!inTime) {
                channel.close();
            }
        });
        Threads.platform("postern-control-client", this::listen);
    }

    /// Answers whatever comes first with `problem`, without waiting for it: the answer has no id then.
    void turnAway(Problem problem) {
        Threads.virtual("postern-control-busy", () -> {
            try (channel) {
                channel.send(Protocol.failure(NullNode.getInstance(), Protocol.REFUSED, problem));
            } catch (IOException gone) {
                // Nobody is there to be told.
            }
        });
    }

    void cancel() {
        cancellation.request();
        streams.cancelled();
    }

    void abandon() {
        cancel();
        channel.close();
    }

    private void listen() {
        var decoder = new FrameDecoder("The client", Protocol.FRAME_BYTES, this::take);
        decoder.handshakeDone();
        var buffer = ByteBuffer.allocate(BUFFER);
        try {
            while (!misbehaved && channel.read(buffer) >= 0) {
                if (decoder.feed(buffer.array(), 0, buffer.position()) != null) {
                    break;
                }
                buffer.clear();
            }
        } catch (IOException gone) {
            // As good as its end.
        } catch (Throwable fault) {
            service.log("a client could not be served: " + fault.getClass().getSimpleName());
        } finally {
            spoken.complete(true);
            try {
                abandon();
                streams.gone();
            } finally {
                if (!handedOver) {
                    ended.accept(this);
                }
            }
        }
    }

    private void take(Message message) {
        switch (message) {
            case Message.Request request
            when !requested -> {
                requested = true;
                spoken.complete(true);
                serve(request);
            }
            case Message.Request second -> misbehaved = true;
            case Message.Notification notification -> {
                if (notification.method().equals(Protocol.CANCEL)) {
                    cancel();
                } else {
                    misbehaved = true;
                }
            }
            case Message.Response response -> misbehaved |= !streams.answered(response);
        }
    }

    private void serve(Message.Request request) {
        var params = request.params() == null ? Protocol.object() : request.params();
        switch (request.method()) {
            case Protocol.RUN -> {
                if (params.path(Protocol.CONTROL).asInt() == Protocol.VERSION) {
                    run(request, params);
                } else {
                    answer(Protocol.failure(request.id(), Protocol.REFUSED, Protocol.otherVersion()));
                }
            }
            // In every version: a restart is what helps a client of another one.
            case Protocol.STATUS -> answer(new Message.Result(request.id(), service.status()));
            case Protocol.STOP -> {
                long millis = service.patience().toMillis();
                var ending = Protocol.object()
                        .put(Protocol.PATIENCE, millis)
                        .put(Protocol.PROCESS, ProcessTable.own().text());
                answer(new Message.Result(request.id(), ending));
                service.stop();
            }
            default -> answer(new Message.Failure(request.id(), Protocol.NO_SUCH_METHOD, "no such method", null));
        }
    }

    private void run(Message.Request request, ObjectNode params) {
        var line = RunRequest.of(params);
        if (line == null) {
            answer(new Message.Failure(request.id(), Protocol.BAD_PARAMETERS, "the parameters are not right", null));
            return;
        }
        var refusal = service.refusal(line);
        if (refusal != null) {
            int code = refusal.local() ? Protocol.NOT_TAKEN : Protocol.REFUSED;
            answer(Protocol.failure(request.id(), code, refusal.problem()));
            return;
        }
        Threads.platform("postern-control-command", () -> taken(request, line));
        handedOver = true;
    }

    /// Only who has a thread to run it on says that the command is taken.
    private void taken(Message.Request request, RunRequest line) {
        try {
            channel.send(new Message.Notification(Protocol.TAKEN, null));
            answer(outcome(request, line));
        } catch (IOException gone) {
            // Nobody waits for it, and it has not begun.
        } finally {
            ended.accept(this);
        }
    }

    private Message outcome(Message.Request request, RunRequest line) {
        streams.serveCommand();
        try {
            int ended = service.run(line, streams, cancellation);
            int code = streams.interrupted() ? CANCELLED : ended;
            return new Message.Result(request.id(), Protocol.object().put(Protocol.EXIT_CODE, code));
        } catch (RuntimeException | Error fault) {
            return Protocol.failure(
                    request.id(),
                    Protocol.REFUSED,
                    new Problem(
                            ErrorCode.INTERNAL,
                            "The worker failed: " + fault.getClass().getSimpleName() + ".",
                            "This is a fault of Postern; please report it."));
        }
    }

    /// The last word: closes the connection behind it.
    private void answer(Message message) {
        try (channel) {
            channel.send(message);
        } catch (IOException gone) {
            // Nobody is there to be told.
        } finally {
            ended.accept(this);
        }
    }
}
