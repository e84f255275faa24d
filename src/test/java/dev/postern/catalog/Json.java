package dev.postern.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Reads JSON for tests as the wire does: numbers keep their exact value. Single quotes spare escapes.
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /// Of a server that was given no secret.
    static final Quoting AS_IS = new Quoting(text -> text);

    private Json() {}

    static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /// `text` with single quotes for double ones.
    static JsonNode of(String text) {
        return parse(text.replace('\'', '"'));
    }

    static ObjectNode object(String text) {
        return (ObjectNode) of(text);
    }
}
