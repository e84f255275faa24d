package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.model.Message;
import dev.postern.model.ToolAnswer;
import dev.postern.model.ToolCall;
import dev.postern.wire.StrictJson;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Messages as they are recorded: `{"text"}` of the owner, `{"text","calls":[{"id","name","arguments"}]}` of
/// the model, `{"answers":[{"id","name","text","error"}]}` of the tools.
final class MessageJson {
    static final String SYSTEM = "system";
    private static final String USER = "user";
    private static final String ASSISTANT = "assistant";
    private static final String TOOL = "tool";

    private MessageJson() {}

    static String role(Message message) {
        return switch (message) {
            case Message.User _ -> USER;
            case Message.Assistant _ -> ASSISTANT;
            case Message.Results _ -> TOOL;
        };
    }

    static String text(String text) {
        return StrictJson.text(JsonNodeFactory.instance.objectNode().put("text", text));
    }

    static String content(Message message) {
        return switch (message) {
            case Message.User user -> text(user.text());
            case Message.Assistant assistant -> {
                var object = JsonNodeFactory.instance.objectNode().put("text", assistant.text());
                var calls = object.putArray("calls");
                for (var call : assistant.calls()) {
                    var one = calls.addObject()
                            .put("id", call.id())
                            .put("name", call.name())
                            .put("arguments", call.arguments());
                    if (call.seal() != null) {
                        one.put("seal", call.seal());
                    }
                }
                yield StrictJson.text(object);
            }
            case Message.Results results -> {
                var object = JsonNodeFactory.instance.objectNode();
                var answers = object.putArray("answers");
                for (var answer : results.answers()) {
                    answers.addObject()
                            .put("id", answer.id())
                            .put("name", answer.name())
                            .put("text", answer.text())
                            .put("error", answer.error());
                }
                yield StrictJson.text(object);
            }
        };
    }

    /// The recorded message; null when somebody has changed the record so that it is none.
    static @Nullable Message read(String role, String content) {
        if (!(StrictJson.parse(content) instanceof StrictJson.Valid(ObjectNode object))) {
            return null;
        }
        return switch (role) {
            case USER -> new Message.User(object.path("text").asText());
            case ASSISTANT -> {
                var calls = new ArrayList<ToolCall>();
                for (var call : object.path("calls")) {
                    calls.add(new ToolCall(
                            call.path("id").asText(),
                            call.path("name").asText(),
                            call.path("arguments").asText(),
                            textOrNull(call.get("seal"))));
                }
                yield new Message.Assistant(object.path("text").asText(), calls);
            }
            case TOOL -> {
                var answers = new ArrayList<ToolAnswer>();
                for (var answer : object.path("answers")) {
                    answers.add(new ToolAnswer(
                            answer.path("id").asText(),
                            answer.path("name").asText(),
                            answer.path("text").asText(),
                            answer.path("error").asBoolean()));
                }
                yield new Message.Results(answers);
            }
            default -> null;
        };
    }

    private static @Nullable String textOrNull(@Nullable JsonNode node) {
        return node == null ? null : node.asText();
    }
}
