package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `x-mcp-header` annotations of an input schema: arguments that an HTTP client must repeat as headers, and
/// whose tool it must not offer when one is invalid (MCP 2026-07-28, Streamable HTTP). A header that a schema
/// can place at will is a way to smuggle; hence the rules.
final class ParameterHeaders {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private final Set<String> names = new HashSet<>();

    private final Quoting quoting;

    private ParameterHeaders(Quoting quoting) {
        this.quoting = quoting;
    }

    /// What is wrong with them, or null.
    ///
    /// @param schema has passed [SchemaLint]
    static @Nullable Fault check(JsonNode schema, Quoting quoting) {
        String reason = new ParameterHeaders(quoting).schema(schema, "", true);
        return reason == null ? null : new Fault(ExclusionCode.TOOL_HEADER, reason);
    }

    /// What is wrong at or below one schema, or null.
    ///
    /// @param reachable whether only `properties` lead here
    private @Nullable String schema(JsonNode schema, String pointer, boolean reachable) {
        JsonNode header = schema.get(Keyword.MCP_HEADER.text());
        String reason = header == null ? null : header(header, schema, pointer, reachable && !pointer.isEmpty());
        for (var member : schema.properties()) {
            if (reason != null) {
                break;
            }
            Keyword keyword = Keyword.of(member.getKey());
            if (keyword != null) {
                reason = below(keyword, member.getValue(), JsonPointers.child(pointer, member.getKey()), reachable);
            }
        }
        return reason;
    }

    private @Nullable String below(Keyword keyword, JsonNode value, String pointer, boolean reachable) {
        return switch (keyword.form()) {
            case SCHEMA, ASIDE -> schema(value, pointer, false);
            case SCHEMA_MAP -> all(value, pointer, reachable && keyword == Keyword.PROPERTIES);
            case SCHEMA_LIST, DEFINITIONS, PATTERN_MAP, DEPENDENCIES -> all(value, pointer, false);
            case ITEMS -> value.isArray() ? all(value, pointer, false) : schema(value, pointer, false);
            case DIALECT,
                    IDENTIFIER,
                    DYNAMIC,
                    REFERENCE,
                    TYPE,
                    LIST,
                    DATA,
                    COUNT,
                    NUMBER,
                    DIVISOR,
                    FLAG,
                    PATTERN,
                    NAMES,
                    NAMES_MAP,
                    ANNOTATION -> null;
        };
    }

    private @Nullable String all(JsonNode schemas, String pointer, boolean reachable) {
        if (schemas.isArray()) {
            for (int i = 0; i < schemas.size(); i++) {
                String reason = schema(schemas.get(i), JsonPointers.child(pointer, i), reachable);
                if (reason != null) {
                    return reason;
                }
            }
            return null;
        }
        for (var member : schemas.properties()) {
            String reason = schema(member.getValue(), JsonPointers.child(pointer, member.getKey()), reachable);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    private @Nullable String header(JsonNode header, JsonNode schema, String pointer, boolean reachable) {
        String where = "has an x-mcp-header at " + quoting.place(pointer);
        if (!header.isTextual() || !token(header.textValue())) {
            return where + " that is no header name";
        }
        if (!reachable) {
            return where + ", where not only \"properties\" lead";
        }
        String type = schema.path(Keyword.TYPE.text()).asText();
        if (!type.equals("string") && !type.equals("integer") && !type.equals("boolean")) {
            return where + " whose type is not string, integer or boolean";
        }
        if (!names.add(header.textValue().toLowerCase(Locale.ROOT))) {
            return where + " with a name that another one has";
        }
        return null;
    }

    /// RFC 9110 section 5.6.2.
    private static boolean token(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (!alphanumeric && TOKEN_MARKS.indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
