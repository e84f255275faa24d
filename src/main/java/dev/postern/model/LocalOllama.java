package dev.postern.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.base.Deadline;
import dev.postern.base.WaitSetting;
import dev.postern.config.ModelProvider;
import dev.postern.config.ModelSettings;
import dev.postern.config.ModelSettings.Bounds;
import dev.postern.model.Mailbox.Letter;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/// Finds an Ollama on this machine, for a chat without a configured model (MDL-1). Anything that does not answer as
/// one, or not at once, is none.
public final class LocalOllama {
    /// Where one listens that nobody configured.
    public static final URI USUAL_PLACE = URI.create("http://127.0.0.1:11434");

    /// What Ollama gives a model as a rule, unless it is told otherwise, is less than most models take.
    public static final int CONTEXT_TOKENS = 8_192;

    private static final Duration PATIENCE = Duration.ofMillis(500);

    /// Some hundred models.
    private static final int LARGEST_LIST = 1 << 20;

    private LocalOllama() {}

    /// Its model that was changed last, or null where there is none. Waits half a second at most and never throws.
    public static @Nullable ModelSettings find(URI place) {
        return find(place, PATIENCE);
    }

    static @Nullable ModelSettings find(URI place, Duration patience) {
        String list = list(place, patience);
        String newest = list == null ? null : newest(list);
        if (newest == null) {
            return null;
        }
        return new ModelSettings(
                ModelProvider.OPENAI,
                newest,
                URI.create(place + "/v1"),
                null,
                new Bounds(CONTEXT_TOKENS, CONTEXT_TOKENS / 4, Bounds.STANDARD_TIMEOUT));
    }

    private static @Nullable String list(URI place, Duration patience) {
        var mailbox = new Mailbox();
        var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        // The client of a fresh process takes its time to load, and Ollama is not to blame.
        var deadline = Deadline.after(patience, new WaitSetting("Ollama", "none", patience));
        var sending = mailbox.send(
                client, HttpRequest.newBuilder(URI.create(place + "/api/tags")).build());
        try {
            return body(mailbox, deadline);
        } finally {
            sending.cancel(true);
            client.shutdownNow();
        }
    }

    private static @Nullable String body(Mailbox mailbox, Deadline deadline) {
        var body = new ByteArrayOutputStream();
        while (true) {
            switch (mailbox.take(deadline)) {
                case Letter.Head head when head.status() == 200 -> {}
                case Letter.Bytes piece -> {
                    for (var buffer : piece.buffers()) {
                        var copy = new byte[buffer.remaining()];
                        buffer.get(copy);
                        body.writeBytes(copy);
                    }
                    if (body.size() > LARGEST_LIST) {
                        return null;
                    }
                    mailbox.more();
                }
                case Letter.End end -> {
                    return body.toString(StandardCharsets.UTF_8);
                }
                case Letter.Head other -> {
                    return null;
                }
                case Letter.Broken broken -> {
                    return null;
                }
                case Letter.Cancelled cancelled -> {
                    return null;
                }
                case Letter.Expired expired -> {
                    return null;
                }
            }
        }
    }

    private static @Nullable String newest(String list) {
        String newest = null;
        var last = Instant.MIN;
        try {
            for (var model : new JsonMapper().readTree(list).path("models")) {
                String name = model.path("name").asText();
                var modified = instant(model.path("modified_at").asText());
                boolean usable = !name.isEmpty() && name.length() <= 256 && name.matches("[A-Za-z0-9._:/@+-]+");
                if (usable && (newest == null || modified.isAfter(last))) {
                    newest = name;
                    last = modified;
                }
            }
        } catch (JsonProcessingException e) {
            return null;
        }
        return newest;
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return Instant.MIN;
        }
    }
}
