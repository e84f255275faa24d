package dev.postern.secret;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.secret.Redactor.Place;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The compact text of a JSON tree, and where in it each object and array stands: one pass over the tree
/// answers for every depth of it, so that sixty arrays around a large text take no longer than one. Confined to
/// one call.
final class SerialForm {
    private final JsonNode root;
    private final StringBuilder text = new StringBuilder();

    /// In the order of their beginnings.
    private final List<Part> parts = new ArrayList<>();

    /// An object or an array.
    private static final class Part {
        private final JsonNode node;
        private final @Nullable Part around;
        private final int from;
        private int to;

        private Part(JsonNode node, @Nullable Part around, int from) {
            this.node = node;
            this.around = around;
            this.from = from;
        }
    }

    SerialForm(JsonNode root) {
        this.root = root;
        write(root, null);
    }

    String text() {
        return text.toString();
    }

    /// A copy of the tree in which the smallest object or array around each place is the place's mark; where
    /// there is none, the mark is all that is left.
    JsonNode without(List<Place> places) {
        var marks = new IdentityHashMap<JsonNode, String>();
        for (var place : places) {
            var part = smallestAround(place);
            marks.putIfAbsent(part == null ? root : part.node, place.mark());
        }
        return copy(root, marks);
    }

    private static JsonNode copy(JsonNode node, IdentityHashMap<JsonNode, String> marks) {
        var mark = marks.get(node);
        if (mark != null) {
            return TextNode.valueOf(mark);
        }
        if (node instanceof ObjectNode object) {
            var copy = JsonNodeFactory.instance.objectNode();
            for (var member : object.properties()) {
                copy.set(member.getKey(), copy(member.getValue(), marks));
            }
            return copy;
        }
        if (node instanceof ArrayNode array) {
            var copy = JsonNodeFactory.instance.arrayNode(array.size());
            for (var element : array) {
                copy.add(copy(element, marks));
            }
            return copy;
        }
        return node;
    }

    private @Nullable Part smallestAround(Place place) {
        int low = 0;
        int high = parts.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (parts.get(middle).from <= place.from()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        var part = low == 0 ? null : parts.get(low - 1);
        while (part != null && part.to < place.to()) {
            part = part.around;
        }
        return part;
    }

    private void write(JsonNode node, @Nullable Part around) {
        if (!node.isContainerNode()) {
            if (node.isTextual()) {
                quoted(node.textValue());
            } else {
                text.append(node.asText());
            }
            return;
        }
        var part = new Part(node, around, text.length());
        parts.add(part);
        if (node instanceof ObjectNode object) {
            text.append('{');
            for (var member : object.properties()) {
                quoted(member.getKey());
                text.append(':');
                write(member.getValue(), part);
                text.append(',');
            }
            close('}');
        } else {
            text.append('[');
            for (var element : node) {
                write(element, part);
                text.append(',');
            }
            close(']');
        }
        part.to = text.length();
    }

    private void close(char bracket) {
        int last = text.length() - 1;
        if (text.charAt(last) == ',') {
            text.setCharAt(last, bracket);
        } else {
            text.append(bracket);
        }
    }

    private void quoted(String value) {
        text.append('"');
        JsonStringEncoder.getInstance().quoteAsString(value, text);
        text.append('"');
    }
}
