package dev.postern.control;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.Threads;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Accepts clients on the control socket and serves each on a thread of its own, at most [#MOST] at once. What
/// a client does or leaves undone stops neither the others nor the worker.
public final class ControlServer implements AutoCloseable {
    /// Far more than people and scripts of one user run at once; each costs two threads.
    static final int MOST = 64;

    /// After a failure to accept, such as having no descriptor left.
    private static final Duration BREATH = Duration.ofMillis(200);

    private static final Duration GLANCE = Duration.ofMillis(10);

    private final ControlService service;
    private final Set<Conversation> open = ConcurrentHashMap.newKeySet();
    private Door door;

    /// Where clients come in.
    private record Door(ServerSocketChannel listener, Thread acceptor) {}

    /// @param listener bound and listening; closed by this
    public ControlServer(ServerSocketChannel listener, Gatekeeper gatekeeper, ControlService service) {
        this.service = service;
        this.door = open(listener, gatekeeper);
    }

    private Door open(ServerSocketChannel listener, Gatekeeper gatekeeper) {
        return new Door(listener, Threads.platform("postern-control", () -> accept(listener, gatekeeper)));
    }

    /// Takes clients at another place from now on, after [#stopAccepting].
    ///
    /// @param listener bound and listening; closed by this
    public void acceptAt(ServerSocketChannel listener, Gatekeeper gatekeeper) {
        door = open(listener, gatekeeper);
    }

    private void accept(ServerSocketChannel listener, Gatekeeper gatekeeper) {
        int failures = 0;
        while (listener.isOpen()) {
            try {
                admit(listener.accept(), gatekeeper);
                if (failures > 1) {
                    service.log("the control socket is served again, after " + failures + " failures");
                }
                failures = 0;
            } catch (ClosedChannelException e) {
                return;
            } catch (Throwable fault) {
                // Whatever is short, a thread perhaps, may be there in a moment; a listener without its acceptor would
                // keep every client waiting.
                if (failures++ == 0) {
                    note(fault);
                }
                Threads.pause(BREATH);
            }
        }
    }

    private void note(Throwable fault) {
        try {
            service.log("the control socket could not be served: "
                    + fault.getClass().getSimpleName());
        } catch (Throwable again) {
            // The count tells of it later.
        }
    }

    private void admit(SocketChannel accepted, Gatekeeper gatekeeper) {
        var channel = new LineChannel(accepted);
        boolean served = false;
        try {
            var objection = gatekeeper.objection(accepted);
            if (objection == null) {
                begin(new Conversation(channel, service, open::remove));
                served = true;
            } else {
                service.log("a client was refused: " + objection);
            }
        } finally {
            if (!served) {
                channel.close();
            }
        }
    }

    private void begin(Conversation conversation) {
        if (open.size() >= MOST) {
            conversation.turnAway(busy());
            return;
        }
        open.add(conversation);
        boolean begun = false;
        try {
            conversation.begin();
            begun = true;
        } finally {
            if (!begun) {
                open.remove(conversation);
            }
        }
    }

    private static Problem busy() {
        return new Problem(
                ErrorCode.WORKER_BUSY,
                "The worker is serving " + MOST + " commands, as many as it takes at once.",
                "Wait until one of them has ended, or end one.");
    }

    /// Takes no more clients; those that are being served go on.
    public void stopAccepting() {
        try {
            door.listener.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
        Threads.join(door.acceptor);
    }

    /// Waits until none of the clients is left that are being served now, or patience has ended, or `hurried` says
    /// so.
    public void awaitIdle(Deadline patience, Cancellation hurried) {
        var served = List.copyOf(open);
        while (served.stream().anyMatch(open::contains) && !patience.expired() && !hurried.requested()) {
            Threads.pause(GLANCE);
        }
    }

    /// How many clients are being served.
    public int clients() {
        return open.size();
    }

    /// Cancels every command that still runs.
    public void cancelAll() {
        open.forEach(Conversation::cancel);
    }

    /// Takes no more clients, and leaves those that are left.
    @Override
    public void close() {
        stopAccepting();
        open.forEach(Conversation::abandon);
    }
}
