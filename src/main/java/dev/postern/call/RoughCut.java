package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.secret.Redactor;
import dev.postern.wire.JsonSize;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Takes from an answer what could possibly be handed on, before the costly work of redacting it: an answer may
/// be hundreds of times as large as `limits.resultBytes`, and a hostile one is as slow to search as it can be
/// made.
///
/// Twice the limit is kept, since marks may be shorter than what they replace. Nobody sees the cut: the text
/// that crosses it is searched [#LOOK_AHEAD] further, so that a secret that lies across it is replaced like any
/// other, and what is left is shortened after redaction, as ever (SEC-5). Media goes here too: its block keeps
/// its type.
final class RoughCut {
    /// How far a secret may reach over the cut, in chars, as it is written, with blanks and escapes. What lies
    /// across more was stretched on purpose, by a server that could as well send it in halves.
    private static final int LOOK_AHEAD = 65_536;

    /// The types of content that MCP has. Others are counted together: a server could make the counts alone
    /// outgrow any limit.
    private static final Set<String> TYPES = Set.of("text", "image", "audio", "resource", "resource_link");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Redactor redactor;
    private final ArrayNode kept = NODES.arrayNode();
    private final TreeMap<String, Integer> dropped = new TreeMap<>();
    private long room;
    private boolean cut;
    private int redacted;

    /// What is left of an answer.
    ///
    /// @param content blocks of text, of embedded text, or with a type alone
    /// @param structured null when there was none, or it was far too large
    /// @param droppedStructured whether it was far too large
    /// @param dropped how many blocks after the cut are gone, by their type
    /// @param cut whether a text was cut
    /// @param redacted how many secrets were replaced to make the cut
    record Kept(
            ArrayNode content,
            @Nullable JsonNode structured,
            boolean droppedStructured,
            TreeMap<String, Integer> dropped,
            boolean cut,
            int redacted) {}

    private RoughCut(Redactor redactor, long room) {
        this.redactor = redactor;
        this.room = room;
    }

    static Kept of(ArrayNode content, @Nullable JsonNode structured, int resultBytes, Redactor redactor) {
        long room = 2L * resultBytes + LOOK_AHEAD;
        var rough = new RoughCut(redactor, room);
        content.forEach(rough::take);
        boolean tooLarge = structured != null && JsonSize.of(structured) > room;
        return new Kept(rough.kept, tooLarge ? null : structured, tooLarge, rough.dropped, rough.cut, rough.redacted);
    }

    /// The first `length` chars of `text` at least, without secrets, and without the beginning of one that lies
    /// across the end.
    static Redactor.Redacted head(String text, int length, Redactor redactor) {
        if (text.length() <= length) {
            return redactor.redact(text);
        }
        int keep = length > 0 && Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return redactor.redactUpTo(text.substring(0, Math.min(text.length(), keep + LOOK_AHEAD)), keep);
    }

    private void take(JsonNode block) {
        var reduced = reduced(block);
        var holder = textHolder(reduced);
        var type = reduced.path("type").asText();
        if (room <= 0) {
            dropped.merge(type, 1, Integer::sum);
            return;
        }
        long size = JsonSize.of(reduced);
        if (size <= room || holder == null) {
            kept.add(reduced);
            room -= size;
            return;
        }
        var text = holder.path("text").textValue();
        long around = size - JsonSize.ofString(text);
        if (around > room) {
            dropped.merge(type, 1, Integer::sum);
        } else {
            var head = head(text, (int) room, redactor);
            holder.put("text", head.text());
            redacted += head.count();
            cut |= text.length() > room;
            kept.add(reduced);
        }
        room = 0;
    }

    /// Where the text of a reduced block stands, null for one that has none.
    static @Nullable ObjectNode textHolder(ObjectNode block) {
        if (block.get("resource") instanceof ObjectNode resource) {
            return resource;
        }
        return block.has("text") ? block : null;
    }

    /// The block without anything that is never handed on: text and embedded text resources without their
    /// decoration, of any other its type alone.
    static ObjectNode reduced(JsonNode block) {
        var type = block.path("type").asText();
        if (type.equals("text") && block.path("text").isTextual()) {
            return NODES.objectNode()
                    .put("type", "text")
                    .put("text", block.path("text").textValue());
        }
        if (type.equals("resource") && block.path("resource").path("text").isTextual()) {
            var source = block.get("resource");
            var json = NODES.objectNode().put("type", "resource");
            var resource = json.putObject("resource");
            for (var field : List.of("uri", "mimeType", "text")) {
                if (source.path(field).isTextual()) {
                    resource.set(field, source.get(field));
                }
            }
            return json;
        }
        return NODES.objectNode().put("type", TYPES.contains(type) ? type : "unknown");
    }
}
