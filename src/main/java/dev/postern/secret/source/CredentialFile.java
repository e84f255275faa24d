package dev.postern.secret.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.base.VisibleText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The text of a credential file: `{"version":1,"provider":"<name>","key":"<secret>"}` and nothing else. No
/// message repeats anything that stands in the file, since a mistake may have put the secret anywhere.
final class CredentialFile {
    private static final JsonFactory JSON = new JsonFactory();

    private final String name;
    private final Set<String> seen = new HashSet<>();
    private String key = "";

    /// The secret, or what is wrong, as a clause that follows the name of the file.
    sealed interface Parsed {
        record Key(String value) implements Parsed {}

        record Wrong(String what) implements Parsed {}
    }

    private CredentialFile(String name) {
        this.name = name;
    }

    static byte[] format(String name, String key) {
        var text = "{\"version\":1,\"provider\":\"" + name + "\",\"key\":\""
                + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(key)) + "\"}\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Why no server can be given this secret, as the end of a sentence about it, or null when it is fine.
    static @Nullable String unfit(String key) {
        if (key.isBlank()) {
            return key.isEmpty() ? "is empty" : "holds only white space";
        }
        if (key.indexOf('\0') >= 0) {
            return "has a NUL character in it, which no environment variable can hold";
        }
        for (int i = 0; i < key.length(); i += Character.charCount(key.codePointAt(i))) {
            if (Character.getType(key.codePointAt(i)) == Character.SURROGATE) {
                return "has an unpaired surrogate in it, which no encoding can hold";
            }
        }
        return null;
    }

    static Parsed parse(byte[] bytes, String name) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return new Parsed.Wrong("is not UTF-8 text");
        }
        if (text.startsWith("\uFEFF")) {
            return new Parsed.Wrong("starts with a byte order mark");
        }
        if (text.isBlank()) {
            return new Parsed.Wrong("is empty");
        }
        try (var parser = JSON.createParser(text)) {
            var file = new CredentialFile(name);
            var wrong = file.object(parser);
            return wrong == null ? new Parsed.Key(file.key) : new Parsed.Wrong(wrong);
        } catch (JsonProcessingException e) {
            return new Parsed.Wrong("is not valid JSON" + at(e.getLocation()));
        } catch (IOException e) {
            return new Parsed.Wrong("is not valid JSON");
        }
    }

    private @Nullable String object(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return "is not a JSON object";
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var member = parser.currentName();
            if (!seen.add(member)) {
                return isKnown(member)
                        ? "says \"" + member + "\" twice" + at(parser.currentTokenLocation())
                        : unknown(parser);
            }
            var wrong = switch (member) {
                case "version" -> version(parser);
                case "provider" -> provider(parser);
                case "key" -> secret(parser);
                default -> unknown(parser);
            };
            if (wrong != null) {
                return wrong;
            }
        }
        for (var member : new String[] {"version", "provider", "key"}) {
            if (!seen.contains(member)) {
                return "has no \"" + member + "\"";
            }
        }
        return trailing(parser);
    }

    private static boolean isKnown(String member) {
        return member.equals("version") || member.equals("provider") || member.equals("key");
    }

    private static String unknown(JsonParser parser) {
        return "has a key that is none of \"version\", \"provider\" and \"key\"" + at(parser.currentTokenLocation());
    }

    private static @Nullable String version(JsonParser parser) throws IOException {
        boolean one = parser.nextToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getText().equals("1");
        return one ? null : "has a \"version\" that is not the number 1" + at(parser.currentTokenLocation());
    }

    private @Nullable String provider(JsonParser parser) throws IOException {
        boolean ours =
                parser.nextToken() == JsonToken.VALUE_STRING && parser.getText().equals(name);
        return ours
                ? null
                : "has a \"provider\" that is not \"" + VisibleText.of(name) + "\", the name of the file"
                        + at(parser.currentTokenLocation());
    }

    private @Nullable String secret(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            return "has a \"key\" that is not a string" + at(parser.currentTokenLocation());
        }
        key = parser.getText();
        var unfit = unfit(key);
        return unfit == null ? null : "has a \"key\" that " + unfit;
    }

    private static @Nullable String trailing(JsonParser parser) throws IOException {
        try {
            return parser.nextToken() == null
                    ? null
                    : "has text after the JSON object" + at(parser.currentTokenLocation());
        } catch (JsonProcessingException e) {
            return "has text after the JSON object" + at(e.getLocation());
        }
    }

    private static String at(@Nullable JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
