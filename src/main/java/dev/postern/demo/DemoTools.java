package dev.postern.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The demo tools. None of them touches anything; `delete_everything` only says what it would have done.
final class DemoTools {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int LONGEST_SECONDS = 60;

    /// A client may refuse a message with a longer number in it.
    private static final int MOST_DIGITS = 64;

    /// A picture of one transparent pixel.
    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA" + "AABJRU5ErkJggg==";

    private final @Nullable String token;

    DemoTools(@Nullable String token) {
        this.token = token;
    }

    /// The definitions, as `tools/list` gives them.
    ArrayNode definitions() {
        var tools = NODES.arrayNode();
        tool(tools, "echo", "Returns the text it is given.", true).set("inputSchema", schema("text", "string"));
        var add = tool(tools, "add", "Adds two numbers.", true);
        add.set("inputSchema", schema("a", "number", "b", "number"));
        add.set("outputSchema", schema("sum", "number"));
        tool(tools, "show_token", "Prints the secret that this server was given, as a careless server might.", true)
                .set("inputSchema", schema());
        tool(tools, "slow", "Answers after a number of seconds.", true).set("inputSchema", seconds());
        tool(tools, "picture", "Returns a tiny picture and a link, neither of them text.", true)
                .set("inputSchema", schema());
        tool(tools, "fail", "Always answers an error.", true).set("inputSchema", schema());
        tool(tools, "delete_everything", "Deletes everything. (It does not; but would you let a model try?)", false)
                .set("inputSchema", schema());
        return tools;
    }

    /// The result of one call, or null when there is no such tool. May take its time; `cancelled` ends it
    /// early.
    @Nullable
    ObjectNode call(String name, ObjectNode arguments, CountDownLatch cancelled) {
        return switch (name) {
            case "echo" -> {
                var text = arguments.path("text").textValue();
                yield text == null ? error("text must be a string") : text(text);
            }
            case "add" -> add(arguments);
            case "show_token" ->
                token == null
                        ? error("This server was given no token.")
                        : text("The token I was given is " + token + ".");
            case "slow" -> slow(arguments, cancelled);
            case "picture" -> picture();
            case "fail" -> error("This tool always fails.");
            case "delete_everything" -> text("Everything would be gone now.");
            default -> null;
        };
    }

    private static ObjectNode add(ObjectNode arguments) {
        var a = arguments.path("a");
        var b = arguments.path("b");
        if (!a.isNumber() || !b.isNumber()) {
            return error("a and b must be numbers");
        }
        var sum = a.decimalValue().add(b.decimalValue());
        if (sum.precision() > MOST_DIGITS) {
            return error("the sum would have more than " + MOST_DIGITS + " digits");
        }
        var result = text(sum.toPlainString());
        result.putObject("structuredContent").put("sum", sum);
        return result;
    }

    private static ObjectNode slow(ObjectNode arguments, CountDownLatch cancelled) {
        int seconds = arguments.path("seconds").asInt(-1);
        if (seconds < 0 || seconds > LONGEST_SECONDS) {
            return error("seconds must be 0 to " + LONGEST_SECONDS);
        }
        try {
            boolean early = cancelled.await(seconds, TimeUnit.SECONDS);
            return text(early ? "Cancelled." : "Done after " + seconds + " s.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return text("Interrupted.");
        }
    }

    private static ObjectNode picture() {
        var result = text("A picture and a link:");
        var content = (ArrayNode) result.get("content");
        content.addObject().put("type", "image").put("data", PIXEL).put("mimeType", "image/png");
        content.addObject()
                .put("type", "resource_link")
                .put("uri", "https://example.com/picture")
                .put("name", "more");
        return result;
    }

    private static ObjectNode text(String text) {
        var result = NODES.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    private static ObjectNode error(String text) {
        return text(text).put("isError", true);
    }

    private static ObjectNode tool(ArrayNode tools, String name, String description, boolean readOnly) {
        var tool = tools.addObject().put("name", name).put("description", description);
        tool.putObject("annotations").put("readOnlyHint", readOnly).put("destructiveHint", !readOnly);
        return tool;
    }

    private static ObjectNode schema(String... namesAndTypes) {
        var schema = NODES.objectNode().put("type", "object");
        var properties = schema.putObject("properties");
        var required = NODES.arrayNode();
        for (int at = 0; at < namesAndTypes.length; at += 2) {
            properties.putObject(namesAndTypes[at]).put("type", namesAndTypes[at + 1]);
            required.add(namesAndTypes[at]);
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode seconds() {
        var schema = schema("seconds", "integer");
        ((ObjectNode) schema.get("properties").get("seconds")).put("minimum", 0).put("maximum", LONGEST_SECONDS);
        return schema;
    }

    /// The arguments of a call, `{}` when absent; null when they are no object.
    static @Nullable ObjectNode arguments(JsonNode params) {
        var arguments = params.get("arguments");
        return arguments == null ? NODES.objectNode() : arguments instanceof ObjectNode object ? object : null;
    }
}
