package dev.postern.run;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.model.Message;
import dev.postern.model.ModelRequest;
import dev.postern.model.TokenCount;
import dev.postern.model.ToolDefinition;
import dev.postern.model.Usage;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Counts what a model's context has room for (RUN-3): by estimate at first, and once the provider has said
/// what a request took, by estimates in that proportion. Confined to the run's thread.
final class ContextCount {
    /// How many definitions a message names that cost most.
    private static final int NAMED = 3;

    /// A provider's own figure moves the estimate no further.
    private static final double LEAST = 0.5;

    private static final double MOST = 4;

    private final ModelInUse model;
    private final List<ToolDefinition> definitions;
    private final TokenCount estimate;
    private final long fixed;
    private double scale = 1;

    ContextCount(ModelInUse model, String system, List<ToolDefinition> definitions, TokenCount estimate) {
        this.model = model;
        this.definitions = definitions;
        this.estimate = estimate;
        this.fixed = estimate.of(new ModelRequest(system, List.of(), definitions));
    }

    /// An estimate of what `message` takes.
    long tokens(Message message) {
        return estimate.of(message);
    }

    /// How many estimated tokens messages may take.
    long left() {
        return (long) (room() / scale) - fixed;
    }

    private long room() {
        return model.contextTokens() - model.maxOutputTokens();
    }

    /// Takes what the provider says that a request took.
    void learn(Conversation.Fitting sent, Usage usage) {
        long estimated =
                fixed + sent.messages().stream().mapToLong(this::tokens).sum();
        if (!usage.estimated() && usage.inputTokens() > 0) {
            scale = Math.clamp((double) usage.inputTokens() / estimated, LEAST, MOST);
        }
    }

    /// Why a run that says `prompt` can't start, null when it can.
    @Nullable
    Problem tooMuch(long prompt) {
        if (fixed + prompt <= room()) {
            return null;
        }
        var costly = definitions.stream()
                .sorted(Comparator.comparingLong((ToolDefinition one) -> estimate.of(one))
                        .reversed())
                .limit(NAMED)
                .map(one -> one.name() + " (about " + estimate.of(one) + ")")
                .collect(Collectors.joining(", "));
        return new Problem(
                ErrorCode.RUN_CONTEXT,
                "What the model is told takes about " + (fixed + prompt) + " tokens, over the " + room()
                        + " that model.contextTokens leaves after model.maxOutputTokens."
                        + (costly.isEmpty() ? "" : " The tools that cost most: " + costly + "."),
                "Allow fewer tools, say less, or raise model.contextTokens if the model takes more.");
    }
}
