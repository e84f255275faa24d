package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.cli.render.Printer;
import dev.postern.cli.render.Style;
import dev.postern.host.Records.Message;
import dev.postern.host.Records.SessionSummary;

/// How sessions and messages are shown.
final class SessionText {
    private SessionText() {}

    /// `{sessionId, title, createdAt, changedAt, runs}`.
    static ObjectNode object(SessionSummary session) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("sessionId", session.id())
                .put("title", session.title())
                .put("createdAt", ServerText.time(session.created()))
                .put("changedAt", ServerText.time(session.changed()))
                .put("runs", session.runs());
    }

    /// `{runId, position, role, content, writtenAt}`.
    static ObjectNode object(Message message) {
        var object = JsonNodeFactory.instance
                .objectNode()
                .put("runId", message.runId())
                .put("position", message.position())
                .put("role", message.role());
        object.set("content", message.content());
        return object.put("writtenAt", ServerText.time(message.written()));
    }

    /// What was said, for people.
    static void print(Printer out, Message message) {
        var content = message.content();
        out.styled(Style.BOLD, message.role() + ":").end();
        var text = content.path("text").asText();
        if (!text.isEmpty()) {
            out.line(text);
        }
        for (JsonNode call : content.path("calls")) {
            out.line("-> " + call.path("name").asText() + " "
                    + call.path("arguments").asText());
        }
        for (JsonNode answer : content.path("answers")) {
            out.line("<- " + answer.path("name").asText() + ": "
                    + answer.path("text").asText());
        }
        out.end();
    }
}
