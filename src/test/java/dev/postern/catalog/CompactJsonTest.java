package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("MOD-2")
class CompactJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ 'b' : [ 1 , 2.50, 1e400, -0.0, 12345678901234567890 ], 'a' : { } , 'c':[ ] }",
                "['é', '読', '😀', '\\u0000\\u001f\\b\\f\\n\\r\\t\\\\\\\" \\/ \\u2028']",
                "null",
                "true",
                "'x'",
                "7"
            })
    void writesWhatJacksonWould(String json) throws IOException {
        JsonNode node = Json.of(json);
        String expected = Json.MAPPER.writeValueAsString(node);
        assertThat(CompactJson.text(node)).isEqualToIgnoringCase(expected);
        assertThat(Json.parse(CompactJson.text(node))).isEqualTo(node);
    }
}
