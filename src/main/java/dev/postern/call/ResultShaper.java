package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.secret.JsonRedactor;
import dev.postern.secret.Redactor;
import dev.postern.wire.JsonSize;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Makes a redacted result fit: what is not text becomes a marker (RES-3), and the whole, written as compact
/// JSON with its flags, takes at most `limits.resultBytes` (RES-1).
///
/// Where not all of it fits: structured content that takes up to half of the room is kept and the text
/// shortened; larger one is left out whole, since servers repeat it as text. Blocks are kept in order; the one
/// that crosses the limit is shortened, those after it are left out and counted.
final class ResultShaper {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /// A text shorter than this tells nothing; its block is left out instead.
    private static final int SHORTEST_TEXT = 16;

    private final int limit;
    private final int redacted;
    private final TreeMap<String, Integer> omitted = new TreeMap<>();
    private boolean truncated;
    private boolean omittedStructured;

    /// A block as it is handed on.
    ///
    /// @param marker stands for a block that is counted already
    private record Block(ObjectNode json, boolean marker) {}

    private ResultShaper(int limit, int redacted) {
        this.limit = limit;
        this.redacted = redacted;
    }

    /// @param limit at most this many bytes of [#json] as [dev.postern.wire.StrictJson] writes it, see
    ///     [dev.postern.base.Limit#RESULT_BYTES]; below 256 everything is left out, and the flags alone may take
    ///     more. Whoever writes the result in another way, such as with escapes for what a reader can't see, may
    ///     write more
    static ToolResult shape(ArrayNode content, @Nullable JsonNode structured, int redacted, int limit) {
        return new ResultShaper(limit, redacted).fit(content, structured);
    }

    /// The same of an answer as it came, which is redacted on the way.
    static ToolResult shape(ArrayNode content, @Nullable JsonNode structured, Redactor redactor, int limit) {
        var rough = RoughCut.of(content, structured, limit, redactor);
        var json = new JsonRedactor(redactor);
        var cleanContent = json.redact(rough.content());
        var cleanStructured = rough.structured() == null ? null : json.redact(rough.structured());
        int count = rough.redacted() + cleanContent.count() + (cleanStructured == null ? 0 : cleanStructured.count());
        var shaper = new ResultShaper(limit, count);
        shaper.truncated = rough.cut() || !rough.dropped().isEmpty();
        shaper.omitted.putAll(rough.dropped());
        shaper.omittedStructured = rough.droppedStructured();
        return shaper.fit(
                cleanContent.node() instanceof ArrayNode blocks
                        ? blocks
                        : NODES.arrayNode().add(cleanContent.node()),
                cleanStructured == null ? null : cleanStructured.node());
    }

    /// The JSON whose size [Limit#RESULT_BYTES] bounds.
    static ObjectNode json(ToolResult result) {
        var json = NODES.objectNode();
        json.set("content", result.content());
        if (result.structuredContent() != null) {
            json.set("structuredContent", result.structuredContent());
        }
        json.put("truncated", result.truncated());
        var counts = json.putObject("omittedContent");
        result.omittedContent().forEach(counts::put);
        json.put("omittedStructuredContent", result.omittedStructuredContent());
        json.put("redacted", result.redacted());
        return json;
    }

    private ToolResult fit(ArrayNode content, @Nullable JsonNode structured) {
        var blocks = new ArrayList<Block>();
        for (var block : content) {
            blocks.add(handedOn(block));
        }
        long text = size(blocks);
        long room = limit - overhead();
        long structure = structured == null ? 0 : JsonSize.of(structured) + ",\"structuredContent\":".length();
        boolean keep = structured != null && (text + structure <= room || (text > room && structure <= room / 2));
        var kept = within(blocks, text, keep ? room - structure : room);
        return new ToolResult(
                kept,
                keep ? structured : null,
                truncated,
                omittedCounts(),
                omittedStructured || (structured != null && !keep),
                redacted);
    }

    /// Bytes of the flags, with room for each type of block to be counted.
    private long overhead() {
        var widest = new TreeMap<>(omitted);
        widest.put("text", 1_000_000);
        widest.put("resource", 1_000_000);
        return JsonSize.of(json(new ToolResult(NODES.arrayNode(), null, false, widest, false, redacted)));
    }

    private ArrayNode within(List<Block> blocks, long size, long room) {
        var kept = NODES.arrayNode();
        if (size <= room) {
            blocks.forEach(block -> kept.add(block.json()));
            return kept;
        }
        truncated = true;
        long left = room;
        boolean full = false;
        for (var block : blocks) {
            long bytes = JsonSize.of(block.json()) + 1;
            if (!full && bytes <= left) {
                kept.add(block.json());
                left -= bytes;
                continue;
            }
            var shorter = full || block.marker() ? null : shortened(block.json(), left);
            full = true;
            if (shorter != null) {
                kept.add(shorter);
            } else if (!block.marker()) {
                count(block.json().path("type").asText());
            }
        }
        return kept;
    }

    private static @Nullable ObjectNode shortened(ObjectNode block, long room) {
        var copy = block.deepCopy();
        boolean resource = copy.get("resource") instanceof ObjectNode;
        var holder = resource ? (ObjectNode) copy.get("resource") : copy;
        var text = holder.path("text").asText();
        holder.put("text", "");
        var cut = TextCut.toFit(text, room - JsonSize.of(copy) - 1);
        if (cut.length() < Math.min(SHORTEST_TEXT, text.length())) {
            return null;
        }
        holder.put("text", cut);
        return copy;
    }

    /// The block as it is handed on: text and embedded text resources without their decoration, anything else a
    /// marker.
    private Block handedOn(JsonNode block) {
        var reduced = RoughCut.reduced(block);
        if (RoughCut.textHolder(reduced) != null) {
            return new Block(reduced, false);
        }
        var name = reduced.path("type").asText();
        count(name);
        return new Block(NODES.objectNode().put("type", "text").put("text", "[omitted: " + name + "]"), true);
    }

    private void count(String type) {
        omitted.merge(type, 1, Integer::sum);
    }

    private SortedMap<String, Integer> omittedCounts() {
        return new TreeMap<>(omitted);
    }

    private static long size(List<Block> blocks) {
        long sum = 0;
        for (var block : blocks) {
            sum += JsonSize.of(block.json()) + 1;
        }
        return sum;
    }
}
