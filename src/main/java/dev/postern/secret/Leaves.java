package dev.postern.secret;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The texts by which a secret can be known: its value, and for a secret with structure its long parts, since a
/// server that reads a key file or a JSON document hands on the parts and not the whole. A part counts from
/// [#LONG] characters on, or from [PatternIndex#WINDOW] when it is named like a secret (`password`, `api_key`):
/// shorter ones are ordinary words (`service_account`) that would black out ordinary text.
///
/// Parts are taken from JSON documents (string and number values, at any depth), PEM blocks (the whole body and
/// its lines), other texts of several lines (the lines, and what follows `name=` or `name:`), the
/// passwords in URLs and connection strings, and the token after `Bearer` and its kind. What doesn't parse has no
/// parts.
final class Leaves {
    static final int LONG = 16;

    private static final int DEEPEST = 4;

    private final Set<String> found = new LinkedHashSet<>();

    private Leaves() {}

    /// The value first. Every leaf has at least 8 characters, and some that is not blank.
    static Set<String> of(String value) {
        var leaves = new Leaves();
        leaves.add(value);
        leaves.add(value.strip());
        leaves.parts(value, 0);
        return leaves.found;
    }

    static boolean isLongEnough(String text) {
        if (text.codePointCount(0, text.length()) < PatternIndex.WINDOW) {
            return false;
        }
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (!View.isBlank(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    private void add(String text) {
        if (isLongEnough(text)) {
            found.add(text);
        }
    }

    private void part(@Nullable String name, String text, int depth) {
        var bare = unquoted(text.strip());
        if (bare.length() >= LONG || (name != null && isNamedLikeSecret(name))) {
            add(bare);
        }
        if (depth < DEEPEST) {
            parts(bare, depth + 1);
        }
    }

    private void parts(String value, int depth) {
        var text = value.strip();
        var bare = unquoted(text);
        if (!bare.equals(text)) {
            add(bare);
        }
        if (text.startsWith("{") || text.startsWith("[")) {
            json(text, depth);
        }
        var lines = text.contains("-----BEGIN ") ? text.replace("\\n", "\n").replace("\\r", "") : text;
        if (lines.indexOf('\n') >= 0 || lines.indexOf('\r') >= 0) {
            lines(lines, depth);
        }
        settings(text);
        url(text);
        scheme(text);
    }

    /// Connection strings: `Server=…;Password=…`.
    private void settings(String text) {
        if (text.indexOf(';') > 0) {
            for (var setting : text.split(";", -1)) {
                int at = setting.indexOf('=');
                if (at > 0 && isNamedLikeSecret(setting.substring(0, at))) {
                    add(unquoted(setting.substring(at + 1).strip()));
                }
            }
        }
    }

    private void json(String text, int depth) {
        try (var parser = Json.FACTORY.createParser(text)) {
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
                    part(nameOf(parser), parser.getText(), depth);
                }
            }
        } catch (IOException e) {
            // No JSON after all: the parts before the fault stay, and the value is a leaf as a whole.
            return;
        }
    }

    private static @Nullable String nameOf(JsonParser parser) {
        for (var context = parser.getParsingContext(); context != null; context = context.getParent()) {
            if (context.getCurrentName() != null) {
                return context.getCurrentName();
            }
        }
        return null;
    }

    private void lines(String text, int depth) {
        var body = new StringBuilder();
        boolean inBlock = false;
        for (var line : text.split("[\r\n]+", -1)) {
            var bare = line.strip();
            if (bare.startsWith("-----BEGIN ")) {
                inBlock = true;
                body.setLength(0);
            } else if (bare.startsWith("-----END ")) {
                inBlock = false;
                add(body.toString());
            } else {
                if (inBlock && bare.indexOf(':') < 0) {
                    body.append(bare);
                }
                part(null, bare, DEEPEST);
                if (!inBlock) {
                    assignment(bare, depth);
                }
            }
        }
    }

    private void assignment(String line, int depth) {
        int at = 0;
        while (at < line.length() && line.charAt(at) != '=' && line.charAt(at) != ':') {
            at++;
        }
        if (at > 0 && at < line.length() - 1) {
            var value = line.substring(at + 1);
            part(line.substring(0, at), value.endsWith(",") ? value.substring(0, value.length() - 1) : value, depth);
        }
    }

    private void url(String text) {
        int start = text.indexOf("://");
        if (start <= 0) {
            return;
        }
        int end = start + 3;
        int at = -1;
        int colon = -1;
        for (; end < text.length() && "/?#".indexOf(text.charAt(end)) < 0; end++) {
            if (text.charAt(end) == '@') {
                at = end;
            } else if (text.charAt(end) == ':' && colon < 0) {
                colon = end;
            }
        }
        if (colon >= 0 && at > colon) {
            var password = text.substring(colon + 1, at);
            add(password);
            var decoded = new PercentSpelling(false).decode(View.of(password));
            if (decoded != null) {
                add(decoded.text());
            }
        }
    }

    private void scheme(String text) {
        int blank = text.indexOf(' ');
        if (blank > 0) {
            switch (text.substring(0, blank).toLowerCase(Locale.ROOT)) {
                case "bearer", "basic", "token", "apikey", "api-key", "key", "digest", "negotiate" ->
                    add(text.substring(blank + 1).strip());
                default -> {}
            }
        }
    }

    private static String unquoted(String text) {
        if (text.length() >= 2) {
            char first = text.charAt(0);
            if ((first == '"' || first == '\'' || first == '`') && text.charAt(text.length() - 1) == first) {
                return text.substring(1, text.length() - 1);
            }
        }
        return text;
    }

    private static boolean isNamedLikeSecret(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        for (var word : new String[] {"pass", "pwd", "secret", "token", "key", "credential", "auth"}) {
            if (lower.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /// Loaded only when a secret looks like JSON.
    private static final class Json {
        static final JsonFactory FACTORY = new JsonFactory();
    }
}
