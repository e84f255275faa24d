package dev.postern.config;

import dev.postern.base.Names;
import dev.postern.secret.SecretRef;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads `transport` (SRV-3): its shape is checked although no remote server can be used yet, so that a file
/// written today is still right when they can.
final class RemoteReader {
    private static final Keys KEYS = new Keys(List.of("type", "url", "headers", "oauth"));
    private static final String URL = "an absolute http or https URL with a host, without user information";

    private final Findings findings;

    RemoteReader(Findings findings) {
        this.findings = findings;
    }

    @Nullable
    Launch read(Members entry, String id) {
        String expected = "an object with \"type\" and \"url\"";
        var object = entry.object("transport", entry.get("transport"), expected);
        if (object == null) {
            return null;
        }
        var transport = new Members(object, entry.place("transport"), KEYS, findings);
        boolean typed = transport.required("type", "\"http\" or \"sse\"") != null;
        var type = transport.word("type", List.of(Launch.Remote.Type.values()), Launch.Remote.Type.HTTP);
        URI url = url(transport, id);
        var headers = headers(transport, id);
        var oauth = transport.object("oauth", transport.get("oauth"), "an object");
        if (oauth != null) {
            literals(oauth, transport.place("oauth"), id);
        }
        return typed && url != null ? new Launch.Remote(type, url, headers, oauth != null) : null;
    }

    private @Nullable URI url(Members transport, String id) {
        var text = transport.text("url", transport.required("url", URL), URL);
        if (text == null) {
            return null;
        }
        var place = transport.place("url");
        warnOfSecret(text, place, id);
        var url = Urls.http(text.value());
        if (url != null) {
            return url;
        }
        findings.problem(place, text.at(), "\"url\" is not such a URL", URL);
        return null;
    }

    private SortedMap<String, SecretRef> headers(Members transport, String id) {
        var headers = new TreeMap<String, SecretRef>();
        var object = transport.object("headers", transport.get("headers"), "an object of header names and references");
        if (object == null) {
            return headers;
        }
        var place = transport.place("headers");
        var references = new ReferenceReader(findings);
        var lower = new HashSet<String>();
        for (var member : Members.distinct(object, place, findings)) {
            var at = place.key(member.name());
            if (!Names.isHeader(member.name())) {
                findings.problem(at, member.at(), "this is not the name of a header", "letters, digits and -");
            } else if (!lower.add(member.name().toLowerCase(Locale.ROOT))) {
                findings.problem(at, member.at(), "this header is there already in another case", "each header once");
            }
            var reference = references.read(member.value(), at, "the header's value", id);
            if (reference != null) {
                headers.put(member.name(), reference);
            }
        }
        return headers;
    }

    /// Looks for secrets in an object that is not read yet, however deep.
    private void literals(Tree tree, Place place, String id) {
        if (tree instanceof Tree.Obj object) {
            for (var member : Members.distinct(object, place, findings)) {
                literals(member.value(), place.key(member.name()), id);
            }
        } else if (tree instanceof Tree.Arr array) {
            for (int i = 0; i < array.items().size(); i++) {
                literals(array.items().get(i), place.index(i), id);
            }
        } else if (tree instanceof Tree.Text text) {
            warnOfSecret(text, place, id);
        }
    }

    private void warnOfSecret(Tree.Text text, Place place, String id) {
        String kind = findings.secretKind(text.value());
        if (kind != null) {
            findings.warning(
                    place,
                    text.at(),
                    "this looks as if it held a secret (" + kind + ")",
                    "Run `postern credential set " + id
                            + "` and give it to the server with \"headers\": {\"Authorization\": {\"credential\": \""
                            + id
                            + "\"}}.");
        }
    }
}
