package dev.postern.mcp;

import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Written;
import dev.postern.wire.Message;
import java.util.concurrent.CompletableFuture;

/// A message stream to one instance of a server. Messages arrive in order on one thread; the end arrives once,
/// after the last message, whatever ended it. Every method may be called from any thread and none blocks on the
/// peer.
public interface Connection {
    /// Starts delivery. Called once, before the first [#send].
    void open(Receiver receiver);

    /// Queues one message. The future always completes, at the latest when the connection has ended, and never
    /// exceptionally.
    CompletableFuture<Written> send(Message message);

    /// The handshake is over: from now on the smaller allowance for noise applies (WIR-2).
    void handshakeDone();

    /// The largest frame accepted from now on, in bytes without its line feed (LIM-2: discovery may use more).
    ///
    /// @param key the setting that a message about it names
    void frameLimit(int bytes, Limit key);

    /// How many lines came so far that were no messages (WIR-2).
    long noise();

    /// Ends the connection, once, for `reason`; the receiver is told. Returns at once; what is behind it is
    /// stopped by its owner.
    void close(Problem reason);

    /// Told what arrives. Must not block.
    interface Receiver {
        void received(Message message);

        void ended(Problem reason);
    }
}
