package dev.postern.transport;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.base.Written;
import dev.postern.mcp.Connection;
import dev.postern.process.Instance;
import dev.postern.process.InstanceListener;
import dev.postern.wire.FrameDecoder;
import dev.postern.wire.Message;
import dev.postern.wire.MessageCodec;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The pipes of one instance as a connection. Messages are delivered on the instance's reading thread; the end on
/// a thread of its own, so that whoever closes is never called back while it holds a lock, and only when no
/// message is being delivered any more.
final class StdioConnection implements Connection, InstanceListener {
    private final String server;
    private final FrameDecoder decoder;
    private final Timeouts timeouts;
    private final Object lock = new Object();
    private @Nullable Receiver receiver;
    private @Nullable Instance instance;
    private @Nullable Problem end;
    private boolean delivering;
    private boolean told;

    StdioConnection(String server, int frameLimit, Timeouts timeouts) {
        this.server = server;
        this.decoder = new FrameDecoder("Server \"" + server + "\"", frameLimit, this::deliver);
        this.timeouts = timeouts;
    }

    /// The instance behind this connection. It is stopped when the connection ends, or now when it has ended
    /// already: a server that can't be talked to is of no use to anyone.
    void attach(Instance started) {
        boolean over;
        synchronized (lock) {
            instance = started;
            over = end != null;
        }
        if (over) {
            started.beginStop(timeouts.start(Timeout.CLOSE));
        }
    }

    @Override
    public void open(Receiver opened) {
        synchronized (lock) {
            receiver = opened;
            lock.notifyAll();
        }
        tellEnd();
    }

    @Override
    public CompletableFuture<Written> send(Message message) {
        Instance to;
        synchronized (lock) {
            to = end == null ? instance : null;
        }
        if (to == null) {
            return CompletableFuture.completedFuture(Written.NOT_AT_ALL);
        }
        return to.write(MessageCodec.encode(message));
    }

    @Override
    public long noise() {
        return decoder.noise().lines();
    }

    @Override
    public void handshakeDone() {
        decoder.handshakeDone();
    }

    @Override
    public void frameLimit(int bytes, Limit key) {
        decoder.frameLimit(bytes, key);
    }

    @Override
    public void close(Problem reason) {
        Instance behind;
        synchronized (lock) {
            if (end != null) {
                return;
            }
            end = reason;
            behind = instance;
            lock.notifyAll();
        }
        tellEnd();
        if (behind != null) {
            behind.beginStop(timeouts.start(Timeout.CLOSE));
        }
    }

    /// Whatever goes wrong with a message ends this connection, and the reading thread goes on: a server whose
    /// output nobody drains would not see that it is to end.
    @Override
    public void output(byte[] buffer, int count) {
        if (!enter()) {
            return;
        }
        Problem verdict;
        try {
            verdict = decoder.feed(buffer, 0, count);
        } catch (Throwable e) {
            verdict = new Problem(
                    ErrorCode.INTERNAL,
                    "A message of server \"" + server + "\" could not be processed: "
                            + e.getClass().getSimpleName() + ".",
                    "This is a fault of Postern; please report it.");
        } finally {
            leave();
        }
        if (verdict != null) {
            close(verdict);
        }
    }

    @Override
    public void ended(Ending ending) {
        close(Endings.problem(server, ending));
    }

    private void deliver(Message message) {
        Receiver to;
        synchronized (lock) {
            to = end == null ? receiver : null;
        }
        if (to != null) {
            to.received(message);
        }
    }

    /// Waits for somebody to deliver to, which also keeps the peer from filling our memory before.
    private boolean enter() {
        synchronized (lock) {
            while (receiver == null && end == null) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            delivering = end == null;
            return delivering;
        }
    }

    private void leave() {
        synchronized (lock) {
            delivering = false;
        }
        tellEnd();
    }

    private void tellEnd() {
        Receiver to;
        Problem reason;
        synchronized (lock) {
            to = receiver;
            reason = end;
            if (to == null || reason == null || delivering || told) {
                return;
            }
            told = true;
        }
        Threads.virtual("postern-" + server + "-ended", () -> to.ended(reason));
    }
}
