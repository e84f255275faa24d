package dev.postern.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command line as a client sends it.
///
/// @param arguments the words after `postern`
/// @param directory the client's working directory, absolute
/// @param dataDir the data directory that the client found, absolute
/// @param columns of the client's terminal, 0 when not known
/// @param terminals the digits of those of the streams 0, 1, 2 that are terminals
/// @param colour colours are welcome where a stream is a terminal
public record RunRequest(
        List<String> arguments, Path directory, Path dataDir, int columns, String terminals, boolean colour) {
    private static final int MOST_COLUMNS = 10_000;

    public RunRequest {
        arguments = List.copyOf(arguments);
    }

    public boolean terminal(int stream) {
        return terminals.indexOf('0' + stream) >= 0;
    }

    ObjectNode params() {
        var params = Protocol.object().put(Protocol.CONTROL, Protocol.VERSION);
        var words = params.putArray("arguments");
        arguments.forEach(words::add);
        return params.put("directory", directory.toString())
                .put("dataDir", dataDir.toString())
                .put("columns", columns)
                .put("terminals", terminals)
                .put("colour", colour);
    }

    /// Null for anything that [#params] would not have made.
    static @Nullable RunRequest of(ObjectNode params) {
        var words = new ArrayList<String>();
        for (var word : params.path("arguments")) {
            if (!word.isTextual()) {
                return null;
            }
            words.add(word.textValue());
        }
        int columns = params.path("columns").asInt(-1);
        var terminals = params.path("terminals").asText("");
        boolean whole = params.path("arguments").isArray()
                && params.path("columns").isInt()
                && columns >= 0
                && columns <= MOST_COLUMNS
                && terminals.length() <= 3
                && params.path("colour").isBoolean();
        var directory = absolute(params.path("directory").asText(""));
        var dataDir = absolute(params.path("dataDir").asText(""));
        return whole && directory != null && dataDir != null
                ? new RunRequest(
                        words,
                        directory,
                        dataDir,
                        columns,
                        terminals,
                        params.path("colour").booleanValue())
                : null;
    }

    private static @Nullable Path absolute(String text) {
        try {
            var path = Path.of(text);
            return path.isAbsolute() ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
