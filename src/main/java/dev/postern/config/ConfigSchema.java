package dev.postern.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The JSON Schema of `config.json` that ships with the program (CFG-7), for editors. The parser is the judge:
/// it refuses everything that the schema refuses, and some things that no schema can say.
public final class ConfigSchema {
    private static final String RESOURCE = "postern-config.schema.json";

    private ConfigSchema() {}

    /// The schema (draft 2020-12) as text.
    public static String text() {
        try (var in = ConfigSchema.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from this installation");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
