package dev.postern.model;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import java.util.function.Consumer;

/// A model that can be asked. Every question is one HTTP request with one streamed answer; nothing is ever sent
/// twice (MDL-2). Safe for use by many threads, each with its own question.
public interface ChatModel extends AutoCloseable {
    /// Asks once and waits on the calling thread, a virtual one as a rule, until the answer is whole, has failed,
    /// or nobody wants it any more. Whatever comes of it, the connection is closed when this returns.
    ///
    /// @param onText is given the text as it streams in, piece by piece and in order, on the calling thread; never
    ///     after the return. What it throws ends the question and is thrown on.
    /// @param deadline ends the question; the model's own timeout does so too, whichever comes first
    ModelReply ask(ModelRequest request, Consumer<String> onText, Deadline deadline, Cancellation cancellation);

    /// Ends every question that is still open, as cancelled.
    @Override
    void close();
}
