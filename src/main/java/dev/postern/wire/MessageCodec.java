package dev.postern.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Between JSON and messages (WIR-1, https://www.jsonrpc.org/specification). What is not plainly one message
/// is none: a peer that says two things at once is believed in neither.
public final class MessageCodec {
    private MessageCodec() {}

    /// What a JSON value turned out to be.
    public sealed interface Decoded {}

    public record Valid(Message message) implements Decoded {}

    /// JSON, but no JSON-RPC message; `reason` holds no text of the peer.
    public record Invalid(String reason) implements Decoded {}

    public static Decoded decode(JsonNode json) {
        if (!(json instanceof ObjectNode object)) {
            return new Invalid(json.isArray() ? "a batch" : "not an object");
        }
        if (!object.path("jsonrpc").isTextual()
                || !object.path("jsonrpc").textValue().equals("2.0")) {
            return new Invalid("jsonrpc is not \"2.0\"");
        }
        boolean result = object.has("result");
        boolean error = object.has("error");
        if (object.has("method")) {
            return result || error ? new Invalid("both a request and a response") : call(object);
        }
        if (result == error) {
            return new Invalid(result ? "both result and error" : "neither method, result nor error");
        }
        return result ? result(object) : failure(object);
    }

    /// The message as one line of UTF-8, its line feed included. No pattern switch: it would have the JDK generate a
    /// class at run time, which every forwarded command would wait for.
    public static byte[] encode(Message message) {
        var object = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        if (message instanceof Message.Request request) {
            object.set("id", request.id());
            object.put("method", request.method());
            set(object, "params", request.params());
        } else if (message instanceof Message.Notification notification) {
            object.put("method", notification.method());
            set(object, "params", notification.params());
        } else if (message instanceof Message.Result result) {
            object.set("id", result.id());
            object.set("result", result.result());
        } else if (message instanceof Message.Failure failure) {
            object.set("id", failure.id());
            var error = object.putObject("error").put("code", failure.code()).put("message", failure.message());
            set(error, "data", failure.data());
        }
        byte[] text = StrictJson.bytes(object);
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return line;
    }

    private static void set(ObjectNode object, String key, @Nullable JsonNode value) {
        if (value != null) {
            object.set(key, value);
        }
    }

    private static Decoded call(ObjectNode object) {
        JsonNode method = object.get("method");
        if (!method.isTextual()) {
            return new Invalid("method is not a string");
        }
        JsonNode params = object.get("params");
        if (params != null && !params.isObject()) {
            return new Invalid("params is not an object");
        }
        JsonNode id = object.get("id");
        if (id == null) {
            return new Valid(new Message.Notification(method.textValue(), (ObjectNode) params));
        }
        if (!isId(id)) {
            return new Invalid("id is neither a string nor an integer");
        }
        return new Valid(new Message.Request(id, method.textValue(), (ObjectNode) params));
    }

    private static Decoded result(ObjectNode object) {
        JsonNode id = object.path("id");
        if (!isId(id)) {
            return new Invalid("id is neither a string nor an integer");
        }
        return new Valid(new Message.Result(id, object.get("result")));
    }

    private static Decoded failure(ObjectNode object) {
        JsonNode id = object.path("id");
        if (id.isMissingNode()) {
            id = NullNode.getInstance();
        }
        if (!id.isNull() && !isId(id)) {
            return new Invalid("id is neither a string nor an integer");
        }
        JsonNode code = object.path("error").path("code");
        JsonNode message = object.path("error").path("message");
        if (!code.isInt() || !message.isTextual()) {
            return new Invalid("error has no integer code or no message");
        }
        JsonNode data = object.path("error").get("data");
        return new Valid(new Message.Failure(id, code.intValue(), message.textValue(), data));
    }

    private static boolean isId(JsonNode id) {
        return id.isTextual() || id.isIntegralNumber();
    }
}
