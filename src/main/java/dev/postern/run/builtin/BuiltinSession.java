package dev.postern.run.builtin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.mcp.Era;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Reply;
import dev.postern.store.StoreException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Answers as a server would, in this very process. Arguments were checked against the definitions before.
final class BuiltinSession implements McpSession {
    private final Notes notes;
    private final InstantSource time;
    private final CompletableFuture<Problem> ended = new CompletableFuture<>();

    BuiltinSession(Notes notes, InstantSource time) {
        this.notes = notes;
        this.time = time;
    }

    @Override
    public Era era() {
        return Era.HANDSHAKE;
    }

    @Override
    public String protocolVersion() {
        return "2025-11-25";
    }

    @Override
    public Reply listTools(@Nullable String cursor, Deadline deadline) {
        var result = JsonNodeFactory.instance.objectNode();
        var tools = result.putArray("tools");
        for (var tool : BuiltinTool.values()) {
            tools.add(tool.definition());
        }
        return new Reply.Result(result);
    }

    @Override
    public Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation) {
        try {
            return new Reply.Result(answer(Objects.requireNonNull(BuiltinTool.named(name)), arguments));
        } catch (StoreException e) {
            return new Reply.Result(
                    error(e.problem().message() + " " + e.problem().next()));
        }
    }

    private ObjectNode answer(BuiltinTool tool, ObjectNode arguments) throws StoreException {
        var name = arguments.path("name").asText();
        return switch (tool) {
            case CLOCK_NOW -> result(now());
            case NOTES_LIST -> result(notes.list());
            case NOTES_READ -> {
                var note = notes.read(name);
                yield note == null ? error("There is no note \"" + name + "\". notes_list names them.") : result(note);
            }
            case NOTES_WRITE -> {
                var written = notes.write(name, arguments.path("text").asText());
                yield written == null ? error(Notes.full()) : result(written);
            }
        };
    }

    private ObjectNode now() {
        var instant = time.instant().truncatedTo(ChronoUnit.SECONDS);
        var local = instant.atZone(ZoneId.systemDefault());
        return JsonNodeFactory.instance
                .objectNode()
                .put("utc", instant.toString())
                .put("local", local.toOffsetDateTime().toString())
                .put("timeZone", local.getZone().getId())
                .put("dayOfWeek", local.getDayOfWeek().toString());
    }

    private static ObjectNode result(ObjectNode value) {
        var result = error(value.toString());
        result.put("isError", false);
        return result;
    }

    private static ObjectNode error(String text) {
        var result = JsonNodeFactory.instance.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result.put("isError", true);
    }

    @Override
    public CompletableFuture<Problem> ended() {
        return ended;
    }

    @Override
    public Counters counters() {
        return new Counters(0, 0, 0);
    }
}
