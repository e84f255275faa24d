package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// JSON for the tests of the host.
final class Json {
    private Json() {}

    static JsonNode parse(String text) {
        return switch (StrictJson.parse(text)) {
            case StrictJson.Valid valid -> valid.value();
            case StrictJson.Malformed malformed -> throw new AssertionError(malformed.describe());
        };
    }

    static JsonNode present(@Nullable JsonNode node) {
        assertThat(node).isNotNull();
        return Objects.requireNonNull(node);
    }

    static ObjectNode object(String text) {
        return (ObjectNode) parse(text);
    }

    /// The requests and notifications of these methods that a scripted server recorded.
    static List<JsonNode> received(Path record, String... methods) throws IOException {
        if (!Files.exists(record)) {
            return List.of();
        }
        return Files.readAllLines(record).stream()
                .filter(line -> line.startsWith("{"))
                .map(Json::parse)
                .filter(message ->
                        Set.of(methods).contains(message.path("method").asText()))
                .toList();
    }
}
