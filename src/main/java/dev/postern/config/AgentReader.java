package dev.postern.config;

import dev.postern.config.ModelSettings.Bounds;
import dev.postern.secret.SecretRef;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads `model` (MDL-1) and `run` (RUN-2).
final class AgentReader {
    private static final String NAME = "name";
    private static final String BASE_URL = "baseUrl";
    private static final String API_KEY = "apiKey";
    private static final String CONTEXT = "contextTokens";
    private static final String OUTPUT = "maxOutputTokens";
    private static final String TIMEOUT = "timeout";
    private static final String TURNS = "maxTurns";
    private static final String CALLS = "maxCalls";

    /// More is no name that any provider gave.
    private static final int LONGEST_NAME = 256;

    private static final Keys MODEL = new Keys(List.of("provider", NAME, BASE_URL, API_KEY, CONTEXT, OUTPUT, TIMEOUT));
    private static final Keys RUN = new Keys(List.of(TURNS, CALLS, TIMEOUT));

    private static final String PROVIDERS = "\"openai\", \"anthropic\" or \"gemini\"";
    private static final String URL =
            "an absolute http or https URL with a host, without user information, query and fragment";
    private static final String MODEL_NAME = "the model's name as its provider writes it: 1 to " + LONGEST_NAME
            + " letters, digits and . _ : / @ + -, such as \"gpt-5-mini\"";

    private final Findings findings;

    AgentReader(Findings findings) {
        this.findings = findings;
    }

    AgentSettings read(Members owner) {
        return new AgentSettings(model(owner), run(owner));
    }

    private @Nullable ModelSettings model(Members owner) {
        var object = owner.object("model", owner.get("model"), "an object with provider and name");
        if (object == null) {
            return null;
        }
        var members = new Members(object, owner.place("model"), MODEL, findings);
        boolean provided = members.required("provider", PROVIDERS) != null;
        var provider = members.word("provider", List.of(ModelProvider.values()), ModelProvider.OPENAI);
        var name = name(members);
        var key = key(members);
        var url = url(members, provider, key);
        var bounds = bounds(members);
        return provided && name != null && url != null ? new ModelSettings(provider, name, url, key, bounds) : null;
    }

    /// It becomes a part of a URL for some.
    private @Nullable String name(Members members) {
        var text = members.text(NAME, members.required(NAME, "the model's name, a string"), MODEL_NAME);
        if (text == null) {
            return null;
        }
        String name = text.value();
        String kind = findings.secretKind(name);
        if (kind == null
                && !name.isEmpty()
                && name.length() <= LONGEST_NAME
                && name.chars().allMatch(AgentReader::named)) {
            return name;
        }
        findings.problem(
                members.place(NAME),
                text.at(),
                kind == null ? "this is not the name of a model" : "this looks like a secret (" + kind + ")",
                MODEL_NAME);
        return null;
    }

    private static boolean named(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._:/@+-".indexOf(c) >= 0;
    }

    private @Nullable SecretRef key(Members members) {
        var value = members.get(API_KEY);
        if (value == null) {
            return null;
        }
        var reference =
                new ReferenceReader(findings).read(value, members.place(API_KEY), "\"" + API_KEY + "\"", "model");
        if (reference instanceof SecretRef.Literal) {
            findings.problem(
                    members.place(API_KEY),
                    value.at(),
                    "a key is a secret, and no literal",
                    "{\"env\": \"NAME\"} or {\"credential\": \"name\"}; leave the key out where the model needs none");
            return null;
        }
        return reference;
    }

    private @Nullable URI url(Members members, ModelProvider provider, @Nullable SecretRef key) {
        var value = members.get(BASE_URL);
        if (value == null) {
            return provider.baseUrl();
        }
        var text = members.text(BASE_URL, value, URL);
        if (text == null) {
            return null;
        }
        var url = Urls.http(text.value());
        if (url == null || url.getRawQuery() != null || findings.secretKind(text.value()) != null) {
            findings.problem(members.place(BASE_URL), text.at(), "\"" + BASE_URL + "\" is not such a URL", URL);
            return null;
        }
        if (key != null && "http".equalsIgnoreCase(url.getScheme()) && !Urls.isLoopback(url)) {
            findings.warning(
                    members.place(BASE_URL),
                    text.at(),
                    "the key and every word would go over the network in the clear",
                    "Use https, or a model on this machine.");
        }
        return Urls.withoutSlash(url);
    }

    private Bounds bounds(Members members) {
        var numbers = new Numbers(members, "model", findings);
        int context = (int) numbers.number(CONTEXT, Bounds.STANDARD_CONTEXT, Bounds.LEAST_CONTEXT, Bounds.MOST_CONTEXT);
        int standard = Math.min(Bounds.STANDARD_OUTPUT, context / 2);
        int output = (int) numbers.number(OUTPUT, standard, 1, Bounds.MOST_OUTPUT);
        var written = members.get(OUTPUT);
        if (written != null && output >= context) {
            findings.problem(
                    members.place(OUTPUT),
                    written.at(),
                    "model." + OUTPUT + " is " + output + " and leaves no room in model." + CONTEXT + ", " + context,
                    "a number under that of " + CONTEXT);
        }
        return new Bounds(context, output, numbers.duration(TIMEOUT, Bounds.STANDARD_TIMEOUT, ModelSettings.TIMEOUT));
    }

    private RunLimits run(Members owner) {
        var object = owner.object("run", owner.get("run"), "an object of a run's limits");
        if (object == null) {
            return RunLimits.STANDARD;
        }
        var numbers = new Numbers(new Members(object, owner.place("run"), RUN, findings), "run", findings);
        return new RunLimits(
                (int) numbers.number(TURNS, RunLimits.STANDARD_TURNS, 1, RunLimits.MOST_TURNS),
                (int) numbers.number(CALLS, RunLimits.STANDARD_CALLS, 1, RunLimits.MOST_CALLS),
                numbers.duration(TIMEOUT, RunLimits.STANDARD_TIMEOUT, RunLimits.TIMEOUT));
    }
}
