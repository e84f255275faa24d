package dev.postern.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.Style;
import dev.postern.cli.render.Untrusted;
import dev.postern.host.Host.Contained;
import dev.postern.host.Host.ServerStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The pieces that the listings of servers share.
final class ServerText {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ServerText() {}

    /// `{id, enabled, state, pid, protocol, containment, tools, scheduledTools, discoveredAt, diagnostics[]}`
    /// (CLI-8).
    static ObjectNode object(Console console, ServerStatus server) {
        var object = NODES.objectNode();
        object.put("id", server.id());
        object.put("enabled", server.enabled());
        object.put("state", server.state());
        object.put("pid", server.pid());
        object.put("protocol", server.protocol());
        object.set("containment", server.containment() == null ? NODES.nullNode() : containment(server.containment()));
        object.set("tools", server.tools() == null ? NODES.nullNode() : strings(server.tools()));
        object.set("scheduledTools", strings(server.scheduledTools()));
        object.put("discoveredAt", server.discoveredAt() == null ? null : time(server.discoveredAt()));
        object.set("diagnostics", problems(console, server.diagnostics()));
        return object;
    }

    /// `{kind, remedy?}`.
    static ObjectNode containment(Contained containment) {
        var object = NODES.objectNode().put("kind", containment.kind());
        return containment.remedy() == null ? object : object.put("remedy", containment.remedy());
    }

    /// RFC 3339 in UTC; finer than a millisecond is of use to nobody.
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static ArrayNode strings(List<String> texts) {
        var array = NODES.arrayNode();
        texts.forEach(array::add);
        return array;
    }

    static ArrayNode problems(Console console, List<Problem> problems) {
        var array = NODES.arrayNode();
        problems.forEach(problem -> array.add(console.object(problem)));
        return array;
    }

    /// `{items[], nextCursor}`: the shape of every list; ours are whole.
    static ObjectNode list(ArrayNode items) {
        var object = NODES.objectNode();
        object.set("items", items);
        object.putNull("nextCursor");
        return object;
    }

    static void diagnostics(Console console, List<ServerStatus> servers) {
        for (var server : servers) {
            diagnostics(console, server.id(), server.diagnostics());
        }
    }

    /// On standard output, below the table they belong to.
    static void diagnostics(Console console, String server, List<Problem> diagnostics) {
        for (var problem : diagnostics) {
            console.out().end().styled(Style.WARN, server + ": ").line(Untrusted.line(problem.message()));
            if (!problem.next().isBlank()) {
                console.out().line("  " + Untrusted.line(console.hint(problem.next())));
            }
        }
    }

    static String yes(boolean value) {
        return value ? "yes" : "no";
    }

    static String names(List<String> names) {
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    static String known(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
