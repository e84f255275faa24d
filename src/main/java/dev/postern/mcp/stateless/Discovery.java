package dev.postern.mcp.stateless;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mcp.ClientInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `server/discover`, with which a client finds out whether a server is of this era, and what its answers
/// mean.
public final class Discovery {
    public static final String METHOD = "server/discover";

    /// The only revision of this era so far.
    public static final String REVISION = "2026-07-28";

    private static final int HEADER_MISMATCH = -32020;
    private static final int MISSING_CLIENT_CAPABILITY = -32021;
    private static final int UNSUPPORTED_VERSION = -32022;

    private Discovery() {}

    public static ObjectNode params(ClientInfo client) {
        return RequestMeta.params(client);
    }

    /// What an answer to `server/discover` means.
    public sealed interface Answer {}

    /// The server speaks our revision.
    public record Agreed() implements Answer {}

    /// An error that only a server of this era gives, though not one about versions: the era is known.
    public record Recognised(int code) implements Answer {}

    /// The server refused the revision we asked for, yet lists it: it may be asked once more.
    public record AskAgain() implements Answer {}

    /// A server of this era without a revision in common; its texts are untrusted.
    public record OtherRevisions(List<String> supported) implements Answer {}

    /// Not an answer of this era; `reason` holds no text of the server.
    public record NotOfThisEra(String reason) implements Answer {}

    /// Judges a result. It must say what it supports, and must not be of a kind we don't know.
    public static Answer read(JsonNode result) {
        if (!result.isObject()) {
            return new NotOfThisEra("the result is not an object");
        }
        JsonNode type = result.path("resultType");
        if (!type.isMissingNode() && !type.asText().equals("complete")) {
            return new NotOfThisEra("resultType is not \"complete\"");
        }
        List<String> supported = versions(result.path("supportedVersions"));
        if (supported == null) {
            return new NotOfThisEra("supportedVersions is missing or not an array of strings");
        }
        return supported.contains(REVISION) ? new Agreed() : new OtherRevisions(supported);
    }

    /// Judges an error: three codes are of this era, all others are not.
    public static Answer read(int code, @Nullable JsonNode data) {
        return switch (code) {
            case HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY -> new Recognised(code);
            case UNSUPPORTED_VERSION -> {
                List<String> supported = data == null ? null : versions(data.path("supported"));
                if (supported == null) {
                    yield new OtherRevisions(List.of());
                }
                yield supported.contains(REVISION) ? new AskAgain() : new OtherRevisions(supported);
            }
            default -> new NotOfThisEra("error " + code);
        };
    }

    private static @Nullable List<String> versions(JsonNode node) {
        if (!(node instanceof ArrayNode array)) {
            return null;
        }
        var versions = new ArrayList<String>();
        for (JsonNode version : array) {
            if (!version.isTextual()) {
                return null;
            }
            versions.add(version.textValue());
        }
        return versions;
    }
}
