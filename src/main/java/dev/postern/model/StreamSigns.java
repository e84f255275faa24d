package dev.postern.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.config.ModelProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Watches the events of an answer for what decides about it: whether it came to its end, why it ended, and whether
/// an error stands in its middle. A library that assembles answers takes half of one for a whole one. Confined to one
/// thread.
final class StreamSigns {
    private static final JsonMapper JSON = new JsonMapper();

    private static final Set<String> CUT_SHORT =
            Set.of("length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded");

    /// An answer that ended so is none, or none to act on.
    private static final Set<String> WITHHELD = Set.of("content_filter", "refusal");

    private final ModelProvider provider;
    private boolean finished;
    private @Nullable String reason;
    private @Nullable String seal;

    /// What one event was.
    enum Sign {
        GOES_ON,
        /// Nothing comes after it.
        LAST,
        /// It tells of an error.
        ERROR,
        /// It is not the JSON object that it should be.
        UNREADABLE
    }

    StreamSigns(ModelProvider provider) {
        this.provider = provider;
    }

    Sign see(EventParser.Event event) {
        if (event.data().strip().equals("[DONE]")) {
            finished = true;
            return Sign.LAST;
        }
        JsonNode node;
        try {
            node = JSON.readTree(event.data());
        } catch (JsonProcessingException e) {
            return Sign.UNREADABLE;
        }
        if (node == null || !node.isObject()) {
            return Sign.UNREADABLE;
        }
        if (node.hasNonNull("error")) {
            return Sign.ERROR;
        }
        return switch (provider) {
            case OPENAI -> {
                ended(node.at("/choices/0/finish_reason"));
                yield Sign.GOES_ON;
            }
            case ANTHROPIC -> anthropic(node);
            case GEMINI -> {
                gemini(node);
                yield Sign.GOES_ON;
            }
        };
    }

    private Sign anthropic(JsonNode node) {
        var stop = node.at("/delta/stop_reason");
        if (stop.isTextual()) {
            reason = stop.textValue();
        }
        if (!node.path("type").asText().equals("message_stop")) {
            return Sign.GOES_ON;
        }
        finished = true;
        return Sign.LAST;
    }

    private void gemini(JsonNode node) {
        ended(node.at("/candidates/0/finishReason"));
        ended(node.at("/promptFeedback/blockReason"));
        for (var part : node.at("/candidates/0/content/parts")) {
            if (seal == null
                    && part.has("functionCall")
                    && part.path("thoughtSignature").isTextual()) {
                seal = part.path("thoughtSignature").textValue();
            }
        }
    }

    private void ended(JsonNode why) {
        // Some servers say nothing in these words until it ends.
        if (why.isTextual() && !why.textValue().isBlank()) {
            finished = true;
            reason = why.textValue();
        }
    }

    boolean finished() {
        return finished;
    }

    /// The provider stopped at its output limit.
    boolean cutShort() {
        return reason != null && CUT_SHORT.contains(reason);
    }

    /// Why the provider gave no answer, in its word; null when it gave one.
    @Nullable
    String withheld() {
        if (reason == null || cutShort()) {
            return null;
        }
        boolean given = provider == ModelProvider.GEMINI ? reason.equals("STOP") : !WITHHELD.contains(reason);
        return given ? null : reason;
    }

    /// What Gemini wants back with the first call of an answer.
    @Nullable
    String seal() {
        return seal;
    }
}
