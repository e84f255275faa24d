package dev.postern.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.config.ModelProvider;
import dev.postern.config.ModelSettings;
import dev.postern.config.ModelSettings.Bounds;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.ScriptedModel;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks a scripted model.
final class Chats {
    static final SecretValue KEY = new SecretValue("MODEL_KEY", "sk-test-0123456789abcdef");
    static final Duration LONG = Duration.ofSeconds(30);

    private static final JsonMapper JSON = new JsonMapper();

    private Chats() {}

    static ModelSettings settings(ModelProvider provider, URI baseUrl) {
        return new ModelSettings(provider, "m-1", baseUrl, null, new Bounds(8_192, 512, LONG));
    }

    static ChatModel open(ModelProvider provider, ScriptedModel model) {
        return ChatModels.open(settings(provider, model.baseUrl()), KEY);
    }

    static Deadline in(Duration length) {
        return Deadline.after(length, ModelSettings.TIMEOUT);
    }

    /// What was said piece by piece, and the reply.
    record Said(List<String> pieces, ModelReply reply) {
        ModelReply.Answered answered() {
            return (ModelReply.Answered) reply;
        }

        ModelReply.Failed failed() {
            return (ModelReply.Failed) reply;
        }
    }

    static Said ask(ModelProvider provider, ScriptedModel model, ModelRequest request) {
        try (var chat = open(provider, model)) {
            return ask(chat, request);
        }
    }

    static Said ask(ModelProvider provider, ScriptedModel model) {
        return ask(provider, model, request("hello"));
    }

    static Said ask(ChatModel chat, ModelRequest request) {
        var pieces = new ArrayList<String>();
        var reply = chat.ask(request, pieces::add, in(LONG), new Cancellation());
        return new Said(pieces, reply);
    }

    static ModelRequest request(String text, ToolDefinition... tools) {
        return new ModelRequest("Be brief.", List.of(new Message.User(text)), List.of(tools));
    }

    static ToolDefinition tool(String name) {
        return new ToolDefinition(
                name,
                "Does " + name,
                json("{\"type\":\"object\",\"properties\":{\"input\":{\"type\":\"string\",\"description\":\"JSON\"}},"
                        + "\"required\":[\"input\"],\"additionalProperties\":false}"));
    }

    static JsonNode json(@Nullable String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
