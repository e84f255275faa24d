package dev.postern.run;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.model.Message;
import dev.postern.model.ModelRequest;
import dev.postern.model.TokenCount;
import dev.postern.model.ToolDefinition;
import dev.postern.model.Usage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Counts what a model's context has room for (RUN-3): by estimate at first, and once the provider has said
/// what a request took, by estimates in that proportion. What surely fits is not counted at all, since that takes a
/// tokenizer half a second to get ready for. Confined to the run's thread.
final class ContextCount {
    /// How many definitions a message names that cost most.
    private static final int NAMED = 3;

    /// A provider's own figure moves the estimate no further.
    private static final double LEAST = 0.5;

    private static final double MOST = 4;

    /// No tokenizer makes more tokens of a text than it has bytes.
    private static final TokenCount BOUND = new TokenCount(text -> text.getBytes(StandardCharsets.UTF_8).length);

    private final ModelInUse model;
    private final ModelRequest bare;
    private final TokenCount estimate;
    private final long boundOfBare;
    private final IdentityHashMap<Message, Long> counted = new IdentityHashMap<>();

    private List<Message> lastSent = List.of();
    private long lastTaken;

    /// @param estimate asked only where something may not fit
    ContextCount(ModelInUse model, String system, List<ToolDefinition> definitions, TokenCount estimate) {
        this.model = model;
        this.bare = new ModelRequest(system, List.of(), definitions);
        this.estimate = estimate;
        this.boundOfBare = BOUND.of(bare);
    }

    /// Whether there is room for all of `messages`, however a model counts.
    boolean surelyFit(Collection<Message> messages) {
        return boundOfBare + messages.stream().mapToLong(BOUND::of).sum() <= room();
    }

    /// An estimate of what `message` takes.
    long tokens(Message message) {
        return counted.computeIfAbsent(message, estimate::of);
    }

    /// How many estimated tokens messages may take.
    long left() {
        return (long) (room() / scale()) - estimate.of(bare);
    }

    private double scale() {
        if (lastSent.isEmpty()) {
            return 1;
        }
        long estimated =
                estimate.of(bare) + lastSent.stream().mapToLong(this::tokens).sum();
        return Math.clamp((double) lastTaken / estimated, LEAST, MOST);
    }

    private long room() {
        return model.contextTokens() - model.maxOutputTokens();
    }

    /// Takes what the provider says that a request took.
    void learn(List<Message> sent, Usage usage) {
        if (!usage.estimated() && usage.inputTokens() > 0) {
            lastSent = sent;
            lastTaken = usage.inputTokens();
        }
    }

    /// Why a run that says `prompt` can't start, null when it can.
    @Nullable
    Problem tooMuch(Message prompt) {
        if (surelyFit(List.of(prompt))) {
            return null;
        }
        long taken = estimate.of(bare) + tokens(prompt);
        if (taken <= room()) {
            return null;
        }
        var costly = bare.tools().stream()
                .sorted(Comparator.comparingLong((ToolDefinition one) -> estimate.of(one))
                        .reversed())
                .limit(NAMED)
                .map(one -> one.name() + " (about " + estimate.of(one) + ")")
                .collect(Collectors.joining(", "));
        return new Problem(
                ErrorCode.RUN_CONTEXT,
                "What the model is told takes about " + taken + " tokens, over the " + room()
                        + " that model.contextTokens leaves after model.maxOutputTokens."
                        + (costly.isEmpty() ? "" : " The tools that cost most: " + costly + "."),
                "Allow fewer tools, say less, or raise model.contextTokens if the model takes more.");
    }
}
