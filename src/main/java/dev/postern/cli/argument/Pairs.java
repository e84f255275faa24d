package dev.postern.cli.argument;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Nearest;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.call.CallRequest.ArgumentsSource;
import dev.postern.wire.StrictJson;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// `name=value` pairs, typed by the tool's input schema and never guessed (CLI-3). Text that could be two
/// things under the schema, and text for which the schema names no type, is refused with the JSON to write
/// instead. Typing is not validating: a value of a right type goes on to the schema as it is.
final class Pairs implements ArgumentsSource {
    private final Map<String, String> texts = new LinkedHashMap<>();

    /// False when the name is there already.
    boolean add(String name, String text) {
        return texts.putIfAbsent(name, text) == null;
    }

    @Override
    public Answer<ObjectNode> arguments(JsonNode inputSchema) {
        var schema = new SchemaTypes(inputSchema);
        var arguments = JsonNodeFactory.instance.objectNode();
        for (var pair : texts.entrySet()) {
            switch (typed(schema, pair.getKey(), pair.getValue())) {
                case Answer.Here<JsonNode> here -> arguments.set(pair.getKey(), here.value());
                case Answer.Not<JsonNode> not -> {
                    return new Answer.Not<>(not.problem());
                }
            }
        }
        return new Answer.Here<>(arguments);
    }

    private static Answer<JsonNode> typed(SchemaTypes schema, String name, String text) {
        var types = schema.typesOf(name);
        if (types == null) {
            return schema.names().contains(name)
                    ? refuse(
                            "The tool's schema names no type for " + name + ", so name=value is not enough.",
                            json(name))
                    : unknown(schema, name, "The tool's schema does not mention an argument " + name + ".");
        }
        if (types.isEmpty()) {
            return schema.names().contains(name)
                    ? refuse("The tool's schema lets no value of " + name + " through.", "Leave it out.")
                    : unknown(schema, name, "The tool has no argument " + name + ".");
        }
        var values = schema.valuesOf(name);
        if (values != null) {
            var meant = meant(values, text);
            if (meant.size() == 1) {
                return new Answer.Here<>(meant.getFirst());
            }
        }
        return byType(types, name, text);
    }

    private static List<JsonNode> meant(List<JsonNode> values, String text) {
        var meant = new ArrayList<JsonNode>();
        for (var value : values) {
            boolean same = value.isTextual() ? value.textValue().equals(text) : text.equals(value.toString());
            if (same && !meant.contains(value)) {
                meant.add(value);
            }
        }
        return meant;
    }

    private static Answer<JsonNode> byType(Set<JsonType> types, String name, String text) {
        var others = EnumSet.copyOf(types);
        boolean string = others.remove(JsonType.STRING);
        if (string && (others.isEmpty() || !couldBe(others, text))) {
            return new Answer.Here<>(JsonNodeFactory.instance.textNode(text));
        }
        if (string) {
            return refuse(
                    name + "=" + shown(text) + " could be " + words(types) + " under the tool's schema.", json(name));
        }
        return switch (StrictJson.parse(text)) {
            case StrictJson.Malformed malformed -> notOfType(types, name, text, malformed);
            case StrictJson.Valid valid
            when types.contains(JsonType.of(valid.value())) -> new Answer.Here<>(valid.value());
            case StrictJson.Valid valid ->
                refuse(
                        name + " is " + words(types) + " by the tool's schema, and " + shown(text) + " is "
                                + JsonType.of(valid.value()).words() + ".",
                        "Give " + words(types) + " for " + name + ".");
        };
    }

    private static Answer<JsonNode> notOfType(
            Set<JsonType> types, String name, String text, StrictJson.Malformed trouble) {
        boolean structured = types.contains(JsonType.ARRAY) || types.contains(JsonType.OBJECT);
        var detail = structured ? " (" + trouble.describe() + ")" : "";
        return refuse(
                name + " is " + words(types) + " by the tool's schema, and " + shown(text) + " is not" + detail + ".",
                structured
                        ? "Write the value of " + name + " as JSON, such as " + name
                                + (types.contains(JsonType.ARRAY) ? "='[\"a\",\"b\"]'." : "='{\"key\":\"value\"}'.")
                        : "Give " + words(types) + " for " + name + ".");
    }

    /// Whether `text` is, or looks as if it was meant to be, of one of `types`.
    private static boolean couldBe(Set<JsonType> types, String text) {
        var start = text.strip();
        if (start.startsWith("[") && types.contains(JsonType.ARRAY)) {
            return true;
        }
        if (start.startsWith("{") && types.contains(JsonType.OBJECT)) {
            return true;
        }
        return StrictJson.parse(text) instanceof StrictJson.Valid valid && types.contains(JsonType.of(valid.value()));
    }

    private static Answer<JsonNode> unknown(SchemaTypes schema, String name, String message) {
        var names = schema.names();
        var nearest = Nearest.of(name, names);
        var known = names.isEmpty() ? "It takes no arguments." : "Its arguments: " + String.join(", ", names) + ".";
        return refuse(message, (nearest == null ? "" : "Did you mean " + nearest + "? ") + known + " " + json(name));
    }

    private static String json(String name) {
        return "To send it all the same, give all arguments as JSON: '{\"" + name + "\": …}'.";
    }

    private static String words(Set<JsonType> types) {
        var shown = EnumSet.copyOf(types);
        if (shown.contains(JsonType.NUMBER)) {
            shown.remove(JsonType.INTEGER);
        }
        return shown.stream().map(JsonType::words).collect(Collectors.joining(" or "));
    }

    private static String shown(String text) {
        return "'" + VisibleText.cut(text, 40) + "'";
    }

    private static Answer<JsonNode> refuse(String message, String next) {
        return new Answer.Not<>(new Problem(ErrorCode.USAGE_ARGUMENTS, message, next));
    }
}
