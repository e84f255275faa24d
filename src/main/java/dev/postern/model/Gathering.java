package dev.postern.model;

import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.googleai.GoogleAiGeminiTokenUsage;
import dev.postern.base.WellFormed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Gathers an answer while it streams in, on the thread that asks. The library swallows what its handlers throw, so
/// that is kept here.
/// Confined to one thread.
final class Gathering implements StreamingChatResponseHandler {
    /// Calls in one answer: more than any run may make.
    static final int MOST_CALLS = 512;

    /// Characters of text and arguments in one answer: some fifty times what an answer holds as a rule.
    static final int LARGEST = 1 << 20;

    private final Consumer<String> onText;
    private final StringBuilder text = new StringBuilder();
    private long pieces;
    private long calls;
    private int callCount;
    private @Nullable RuntimeException thrown;
    private @Nullable ChatResponse response;
    private boolean failed;

    Gathering(Consumer<String> onText) {
        this.onText = onText;
    }

    @Override
    public void onPartialResponse(String piece) {
        if (thrown != null || tooLarge()) {
            return;
        }
        text.append(piece);
        if (tooLarge()) {
            return;
        }
        try {
            onText.accept(piece);
        } catch (RuntimeException e) {
            thrown = e;
        }
    }

    @Override
    public void onPartialToolCall(PartialToolCall piece) {
        pieces += piece.partialArguments().length();
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall call) {
        calls += call.toolExecutionRequest().arguments().length();
        callCount++;
    }

    @Override
    public void onCompleteResponse(ChatResponse complete) {
        response = complete;
    }

    @Override
    public void onError(Throwable error) {
        failed = true;
    }

    /// The one who listens wants no more.
    boolean stopped() {
        return thrown != null;
    }

    boolean failed() {
        return failed;
    }

    boolean tooLarge() {
        // Arguments come in pieces, as whole calls, or as both.
        return text.length() + Math.max(pieces, calls) > LARGEST;
    }

    boolean tooManyCalls() {
        return callCount > MOST_CALLS;
    }

    boolean whole() {
        return response != null;
    }

    String text() {
        return WellFormed.of(text.toString());
    }

    /// Throws on what the one who listens threw.
    void rethrow() {
        if (thrown != null) {
            throw thrown;
        }
    }

    /// The calls of a whole answer, each with an id of its own. Arguments are as they came: whoever checks them
    /// refuses what is malformed.
    ///
    /// @param seal what goes with the first of them
    List<ToolCall> calls(@Nullable String seal) {
        var made = new ArrayList<ToolCall>();
        if (response == null) {
            return made;
        }
        var ids = new HashSet<String>();
        for (var request : response.aiMessage().toolExecutionRequests()) {
            String id = request.id() == null ? "" : WellFormed.of(request.id());
            if (id.isBlank() || !ids.add(id)) {
                id = untaken(ids);
            }
            String name = request.name() == null ? "" : WellFormed.of(request.name());
            String arguments = request.arguments() == null ? "" : request.arguments();
            made.add(new ToolCall(id, name, arguments, made.isEmpty() ? seal : null));
        }
        return made;
    }

    private static String untaken(Set<String> ids) {
        int number = ids.size() + 1;
        while (!ids.add("call_" + number)) {
            number++;
        }
        return "call_" + number;
    }

    /// What the provider says that the answer cost; null when it doesn't.
    @Nullable
    Usage usage() {
        var said = response == null ? null : response.metadata().tokenUsage();
        if (said == null) {
            return null;
        }
        long input = count(said.inputTokenCount());
        long output = count(said.outputTokenCount());
        if (said instanceof AnthropicTokenUsage anthropic) {
            input += count(anthropic.cacheCreationInputTokens()) + count(anthropic.cacheReadInputTokens());
        } else if (said instanceof GoogleAiGeminiTokenUsage gemini) {
            output += count(gemini.thoughtsTokenCount());
        }
        return input == 0 || output == 0 ? null : new Usage(input, output, false);
    }

    private static long count(@Nullable Integer said) {
        return said == null ? 0 : Math.max(0, said);
    }
}
