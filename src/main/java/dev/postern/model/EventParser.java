package dev.postern.model;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/// Takes a stream of server-sent events apart, as its bytes come in
/// ([HTML, 9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation)).
/// What malformed input does: bytes that are not UTF-8 become replacement characters; unknown fields and comments
/// are ignored; an event without data, and one whose blank line never comes, is none. Confined to one thread.
final class EventParser {
    /// Above what the largest text of an answer takes with its escapes.
    static final int LARGEST_EVENT = 2 << 20;

    private final Predicate<Event> sink;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String name = "";
    private boolean any;
    private boolean afterReturn;

    /// One event that has data.
    ///
    /// @param name empty where the stream gives none
    record Event(String name, String data) {}

    /// How the reading of some bytes ended.
    enum Fed {
        /// More may come.
        MORE,
        /// The sink wants no more.
        ENOUGH,
        /// An event is over [#LARGEST_EVENT].
        TOO_LARGE
    }

    /// One that hands events on.
    ///
    /// @param sink gets each event; false from it ends the reading
    EventParser(Predicate<Event> sink) {
        this.sink = sink;
    }

    Fed feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            boolean secondOfPair = b == '\n' && afterReturn;
            afterReturn = b == '\r';
            if (secondOfPair) {
                continue;
            }
            if (b != '\n' && b != '\r') {
                line.write(b);
                if (line.size() + data.length() > LARGEST_EVENT) {
                    return Fed.TOO_LARGE;
                }
            } else if (!endLine()) {
                return Fed.ENOUGH;
            }
        }
        return Fed.MORE;
    }

    private boolean endLine() {
        if (line.size() == 0) {
            return dispatch();
        }
        field(line.toString(StandardCharsets.UTF_8));
        line.reset();
        return true;
    }

    private void field(String text) {
        String bare = text.startsWith("\uFEFF") ? text.substring(1) : text;
        int colon = bare.indexOf(':');
        String field = colon < 0 ? bare : bare.substring(0, colon);
        String value = colon < 0 ? "" : bare.substring(colon + 1);
        if (value.startsWith(" ")) {
            value = value.substring(1);
        }
        if (field.equals("data")) {
            if (any) {
                data.append('\n');
            }
            data.append(value);
            any = true;
        } else if (field.equals("event")) {
            name = value;
        }
    }

    private boolean dispatch() {
        var event = new Event(name, data.toString());
        boolean whole = any;
        name = "";
        data.setLength(0);
        any = false;
        return !whole || sink.test(event);
    }
}
