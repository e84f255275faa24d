package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// The two dialects of JSON Schema that tools are written in. A schema that names none is 2020-12, as MCP says.
enum Dialect {
    DRAFT_07("json-schema.org/draft-07/schema"),
    DRAFT_2020_12("json-schema.org/draft/2020-12/schema");

    private final String address;

    Dialect(String address) {
        this.address = address;
    }

    /// The dialect that a value of `$schema` names, with `http` or `https`, with or without an empty fragment;
    /// null for any other. `declared` is null where there is no `$schema`.
    static @Nullable Dialect of(@Nullable JsonNode declared) {
        if (declared == null) {
            return DRAFT_2020_12;
        }
        if (!declared.isTextual()) {
            return null;
        }
        String uri = declared.textValue();
        for (Dialect dialect : values()) {
            for (String scheme : new String[] {"http://", "https://"}) {
                if (uri.equals(scheme + dialect.address) || uri.equals(scheme + dialect.address + "#")) {
                    return dialect;
                }
            }
        }
        return null;
    }
}
