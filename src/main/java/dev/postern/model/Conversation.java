package dev.postern.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.postern.config.ModelProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts a request into the library's words. What a model wrote before goes back to it as it was, except where its
/// provider would refuse the whole conversation for it: arguments that are no JSON object, names of tools that no
/// tool can have, messages without any text.
final class Conversation {
    /// More strict tools in one request are refused by Anthropic.
    private static final int MOST_STRICT = 20;

    private static final int LONGEST_NAME = 64;
    private static final String NOTHING = "(empty)";
    private static final JsonMapper JSON = new JsonMapper();

    private Conversation() {}

    static ChatRequest of(ModelRequest request, ModelProvider provider) {
        var messages = new ArrayList<ChatMessage>();
        if (!request.system().isBlank()) {
            messages.add(SystemMessage.from(request.system()));
        }
        for (var message : request.messages()) {
            switch (message) {
                case Message.User user -> messages.add(UserMessage.from(filled(user.text())));
                case Message.Assistant assistant -> assistant(assistant, messages);
                case Message.Results results -> results(results, messages);
            }
        }
        return ChatRequest.builder()
                .messages(messages)
                .toolSpecifications(tools(request.tools(), provider))
                .build();
    }

    private static void assistant(Message.Assistant assistant, List<ChatMessage> messages) {
        if (assistant.text().isBlank() && assistant.calls().isEmpty()) {
            return;
        }
        var requests = new ArrayList<ToolExecutionRequest>();
        String seal = null;
        for (var call : assistant.calls()) {
            seal = seal == null ? call.seal() : seal;
            requests.add(ToolExecutionRequest.builder()
                    .id(call.id())
                    .name(name(call.name()))
                    .arguments(object(call.arguments()))
                    .build());
        }
        var builder = AiMessage.builder()
                .text(assistant.text().isBlank() ? null : assistant.text())
                .toolExecutionRequests(requests);
        if (seal != null) {
            builder.attributes(Map.of("thinking_signature", seal));
        }
        messages.add(builder.build());
    }

    private static void results(Message.Results results, List<ChatMessage> messages) {
        for (var answer : results.answers()) {
            messages.add(ToolExecutionResultMessage.builder()
                    .id(answer.id())
                    .toolName(name(answer.name()))
                    .text(filled(answer.text()))
                    .isError(answer.error())
                    .build());
        }
    }

    private static String filled(String text) {
        return text.isBlank() ? NOTHING : text;
    }

    private static String name(String name) {
        String fit = name.isEmpty() ? "_" : name.replaceAll("[^A-Za-z0-9_-]", "_");
        return fit.length() <= LONGEST_NAME ? fit : fit.substring(0, LONGEST_NAME);
    }

    private static String object(String arguments) {
        if (arguments.isBlank()) {
            return "{}";
        }
        try (var parser = JSON.createParser(arguments)) {
            JsonNode node = JSON.readTree(parser);
            if (node != null && node.isObject() && parser.nextToken() == null) {
                return arguments;
            }
        } catch (IOException e) {
            // Falls through: it is shown what it wrote.
        }
        return JsonNodeFactory.instance.objectNode().put("malformed", arguments).toString();
    }

    private static List<ToolSpecification> tools(List<ToolDefinition> definitions, ModelProvider provider) {
        var tools = new ArrayList<ToolSpecification>();
        for (var definition : definitions) {
            var parameters = definition.parameters();
            boolean strict = isStrict(parameters)
                    && switch (provider) {
                        case OPENAI -> true;
                        case ANTHROPIC -> definitions.size() <= MOST_STRICT;
                        case GEMINI -> false;
                    };
            tools.add(ToolSpecification.builder()
                    .name(definition.name())
                    .description(definition.description())
                    .parameters(object(parameters))
                    .strict(strict)
                    .build());
        }
        return tools;
    }

    /// No other property is allowed, and each is required.
    private static boolean isStrict(JsonNode parameters) {
        var required = new ArrayList<String>();
        parameters.path("required").forEach(name -> required.add(name.asText()));
        boolean closed = parameters.has("additionalProperties")
                && !parameters.path("additionalProperties").asBoolean(true);
        return closed
                && parameters.path("properties").properties().stream()
                        .allMatch(property -> required.contains(property.getKey()));
    }

    private static JsonObjectSchema object(JsonNode parameters) {
        var builder = JsonObjectSchema.builder();
        for (var property : parameters.path("properties").properties()) {
            builder.addProperty(property.getKey(), element(property.getValue()));
        }
        var required = new ArrayList<String>();
        parameters.path("required").forEach(name -> required.add(name.asText()));
        return builder.required(required).build();
    }

    private static JsonSchemaElement element(JsonNode schema) {
        String description = description(schema);
        return switch (schema.path("type").asText()) {
            case "string" -> {
                var words = new ArrayList<String>();
                schema.path("enum").forEach(word -> words.add(word.asText()));
                yield words.isEmpty()
                        ? JsonStringSchema.builder().description(description).build()
                        : JsonEnumSchema.builder()
                                .description(description)
                                .enumValues(words)
                                .build();
            }
            case "integer" ->
                JsonIntegerSchema.builder().description(description).build();
            case "number" -> JsonNumberSchema.builder().description(description).build();
            case "boolean" ->
                JsonBooleanSchema.builder().description(description).build();
            default -> JsonRawSchema.from(schema.toString());
        };
    }

    private static @Nullable String description(JsonNode schema) {
        return schema.path("description").isTextual()
                ? schema.path("description").textValue()
                : null;
    }
}
