package dev.postern.host;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.model.ChatModel;
import dev.postern.model.ModelReply;
import dev.postern.model.ModelRequest;
import dev.postern.model.ToolCall;
import dev.postern.model.Usage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A model that says what it was told to say, turn by turn, and keeps what it was asked.
final class FakeModel implements ChatModel {
    private final Deque<Turn> turns = new ArrayDeque<>();
    private final List<ModelRequest> requests = new ArrayList<>();
    private int callNumber;

    /// One answer.
    interface Turn {
        ModelReply reply(Consumer<String> onText, Deadline deadline, Cancellation cancellation);
    }

    static ToolCall call(String name, String arguments) {
        return new ToolCall("", name, arguments);
    }

    FakeModel says(String text, ToolCall... calls) {
        return then((onText, deadline, cancellation) -> {
            onText.accept(text);
            var numbered = new ArrayList<ToolCall>();
            for (var call : calls) {
                numbered.add(new ToolCall("c" + ++callNumber, call.name(), call.arguments()));
            }
            return new ModelReply.Answered(text, numbered, new Usage(10, 5, true), false);
        });
    }

    FakeModel then(Turn turn) {
        turns.add(turn);
        return this;
    }

    /// Says nothing until the run gives up.
    FakeModel hangs() {
        return then((onText, deadline, cancellation) -> {
            var over = new CompletableFuture<Boolean>()
                    .completeOnTimeout(true, deadline.remaining().toMillis(), TimeUnit.MILLISECONDS);
            try (var _ = cancellation.listen(() -> over.complete(true))) {
                over.join();
            }
            return new ModelReply.Cancelled("");
        });
    }

    List<ModelRequest> requests() {
        return requests;
    }

    @Override
    public ModelReply ask(ModelRequest request, Consumer<String> onText, Deadline deadline, Cancellation cancellation) {
        requests.add(request);
        var turn = turns.poll();
        if (turn == null) {
            throw new AssertionError("the model was asked once more than expected");
        }
        return turn.reply(onText, deadline, cancellation);
    }

    @Override
    public void close() {}
}
