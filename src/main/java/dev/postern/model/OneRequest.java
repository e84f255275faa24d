package dev.postern.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.langchain4j.http.client.sse.ServerSentEventParsingHandle;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Version;
import dev.postern.model.Mailbox.Letter;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The HTTP client that langchain4j is given: sends one request over a connection of its own, hands on the events of
/// its answer on the calling thread, and leaves no thread and no connection behind, however it ends. It follows no
/// redirect, which would take the key elsewhere, and speaks HTTP/1.1, where to stop reading is to close the
/// connection. Confined to one thread, except for the cancellation.
final class OneRequest implements HttpClient {
    /// What an answer may take on the wire. Providers wrap each word of it into some hundred bytes of JSON.
    static final int LARGEST_STREAM = 8 << 20;

    /// Each event costs an object or two, however short it is.
    static final int MOST_EVENTS = 65_536;

    /// Enough of an error to be told what it is about.
    private static final int LARGEST_ERROR = 64 << 10;

    private static final Duration TO_CLOSE = Duration.ofSeconds(2);

    private final StreamSigns signs;
    private final Gathering answer;
    private final Deadline deadline;
    private final Cancellation cancellation;
    private final Mailbox mailbox = new Mailbox();
    private @Nullable Ending ending;

    /// The state of the body that is being read.
    private int bytes;

    private int events;
    private @Nullable Ending early;

    OneRequest(StreamSigns signs, Gathering answer, Deadline deadline, Cancellation cancellation) {
        this.signs = signs;
        this.answer = answer;
        this.deadline = deadline;
        this.cancellation = cancellation;
    }

    /// How the request ended; null before there was one.
    @Nullable
    Ending ending() {
        return ending;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new UnsupportedOperationException("answers are streamed");
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        if (ending != null) {
            throw new IllegalStateException("nothing is sent twice");
        }
        ending = new Ending.Cancelled();
        if (cancellation.requested()) {
            return;
        }
        var client = java.net.http.HttpClient.newBuilder()
                .version(java.net.http.HttpClient.Version.HTTP_1_1)
                .followRedirects(java.net.http.HttpClient.Redirect.NEVER)
                .build();
        try (var cancelled = cancellation.listen(mailbox::cancel)) {
            var sending = mailbox.send(client, jdk(request));
            ending = read(listener);
            sending.cancel(true);
        } finally {
            close(client);
        }
    }

    private static void close(java.net.http.HttpClient client) {
        client.shutdownNow();
        try {
            client.awaitTermination(TO_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static java.net.http.HttpRequest jdk(HttpRequest request) {
        var builder = java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                .method(request.method().name(), BodyPublishers.ofString(request.body()));
        request.headers().forEach((name, values) -> {
            boolean ours = name.equalsIgnoreCase("User-Agent") || values.contains(Providers.NO_KEY);
            if (!ours) {
                values.forEach(value -> builder.header(name, value));
            }
        });
        return builder.header("User-Agent", "postern/" + Version.TEXT).build();
    }

    private Ending read(ServerSentEventListener listener) {
        return switch (mailbox.take(deadline)) {
            case Letter.Head head
            when head.status() >= 200 && head.status() < 300 -> {
                listener.onOpen(SuccessfulHttpResponse.builder()
                        .statusCode(head.status())
                        .headers(head.headers().map())
                        .build());
                yield events(listener);
            }
            case Letter.Head head -> refused(head);
            case Letter.Bytes ignored -> throw new IllegalStateException("a body before its head");
            case Letter.End ignored -> throw new IllegalStateException("an end before its head");
            case Letter.Broken broken -> unreachable(broken.cause());
            case Letter.Cancelled ignored -> new Ending.Cancelled();
            case Letter.Expired ignored -> expired("sent no answer");
        };
    }

    private Ending events(ServerSentEventListener listener) {
        var parser = new EventParser(event -> take(event, listener));
        var start = new ByteArrayOutputStream();
        while (true) {
            switch (mailbox.take(deadline)) {
                case Letter.Head ignored -> throw new IllegalStateException("two heads");
                case Letter.Bytes piece -> {
                    var ended = feed(piece, parser, start);
                    if (ended != null) {
                        return whole(ended, listener);
                    }
                    mailbox.more();
                }
                case Letter.End ignored -> {
                    return whole(atEnd(start.toString(StandardCharsets.UTF_8)), listener);
                }
                case Letter.Broken ignored -> {
                    return half();
                }
                case Letter.Cancelled ignored -> {
                    return new Ending.Cancelled();
                }
                case Letter.Expired ignored -> {
                    return expired("did not end its answer");
                }
            }
        }
    }

    /// What the piece of the body ends the answer with; null when it goes on.
    private @Nullable Ending feed(Letter.Bytes piece, EventParser parser, ByteArrayOutputStream start) {
        for (ByteBuffer buffer : piece.buffers()) {
            bytes += buffer.remaining();
            if (bytes > LARGEST_STREAM) {
                return tooLarge("over " + (LARGEST_STREAM >> 20) + " MiB");
            }
            if (events == 0 && start.size() < LARGEST_ERROR) {
                var copy = new byte[buffer.remaining()];
                buffer.duplicate().get(copy);
                start.writeBytes(copy);
            }
            switch (parser.feed(buffer)) {
                case MORE -> {}
                case TOO_LARGE -> {
                    return tooLarge("with an event over " + (EventParser.LARGEST_EVENT >> 20) + " MiB");
                }
                case ENOUGH -> {
                    return early == null ? new Ending.Whole() : early;
                }
            }
        }
        return null;
    }

    /// Hands one event on; false when it is the last.
    private boolean take(EventParser.Event event, ServerSentEventListener listener) {
        events++;
        if (event.data().isBlank() && events <= MOST_EVENTS) {
            // Some servers keep a connection alive with it.
            return true;
        }
        var sign = signs.see(event);
        early = switch (sign) {
            case GOES_ON, LAST -> events > MOST_EVENTS ? tooLarge("of over " + MOST_EVENTS + " events") : null;
            case ERROR -> new ErrorBody(event.data()).inStream();
            case UNREADABLE -> unreadable("an event that is no JSON object: " + event.data());
        };
        if (early == null) {
            early = hand(event, listener);
        }
        return early == null && sign == StreamSigns.Sign.GOES_ON;
    }

    private @Nullable Ending hand(EventParser.Event event, ServerSentEventListener listener) {
        try {
            listener.onEvent(
                    new ServerSentEvent(event.name().isEmpty() ? null : event.name(), event.data()),
                    new ServerSentEventContext(new NeverCancelled()));
        } catch (RuntimeException e) {
            return unreadable("an event that does not fit its API: " + event.data());
        }
        if (answer.stopped()) {
            return new Ending.Cancelled();
        }
        if (answer.failed()) {
            return unreadable("an event that does not fit its API: " + event.data());
        }
        if (answer.tooManyCalls()) {
            return tooLarge("with over " + Gathering.MOST_CALLS + " calls of tools");
        }
        return answer.tooLarge()
                ? tooLarge("with over " + (Gathering.LARGEST >> 20) + " MiB of text and arguments")
                : null;
    }

    /// The body came to its end before any event said so.
    private Ending atEnd(String start) {
        if (events > 0) {
            return signs.finished() ? new Ending.Whole() : half();
        }
        if (start.isBlank()) {
            return half();
        }
        var body = new ErrorBody(start);
        return body.tellsOfError() ? body.inStream() : unreadable("something else than a stream of events: " + start);
    }

    /// Lets the library put the whole answer together.
    private Ending whole(Ending ended, ServerSentEventListener listener) {
        if (!(ended instanceof Ending.Whole)) {
            return ended;
        }
        String withheld = signs.withheld();
        if (withheld != null) {
            return new Ending.Broken(
                    ModelFault.INVALID,
                    "gave no answer, for the reason it calls " + withheld,
                    "Word the request differently, or use another model.");
        }
        if (!answer.whole()) {
            listener.onClose();
        }
        return answer.whole() ? ended : unreadable("the end of an answer that has no beginning");
    }

    private Ending refused(Letter.Head head) {
        var body = new ByteArrayOutputStream();
        boolean more = true;
        while (more && body.size() < LARGEST_ERROR) {
            switch (mailbox.take(deadline)) {
                case Letter.Bytes piece -> {
                    for (var buffer : piece.buffers()) {
                        var copy = new byte[Math.min(buffer.remaining(), LARGEST_ERROR)];
                        buffer.get(copy);
                        body.writeBytes(copy);
                    }
                    mailbox.more();
                }
                case Letter.Cancelled ignored -> {
                    return new Ending.Cancelled();
                }
                case Letter.Head ignored -> more = false;
                case Letter.End ignored -> more = false;
                case Letter.Broken ignored -> more = false;
                case Letter.Expired ignored -> more = false;
            }
        }
        if (head.status() >= 300 && head.status() < 400) {
            return new Ending.Broken(
                    ModelFault.INVALID,
                    "answered with status " + head.status() + ", a redirect" + location(head.headers()),
                    "Redirects are not followed, since they would take the key along: correct model.baseUrl in"
                            + " config.json.");
        }
        return new ErrorBody(body.toString(StandardCharsets.UTF_8)).of(head.status(), head.headers());
    }

    private static String location(HttpHeaders headers) {
        return headers.firstValue("location").map(place -> " to " + place).orElse("");
    }

    private static Ending unreachable(Throwable cause) {
        Throwable root = cause;
        boolean resolved = true;
        boolean refused = false;
        boolean secure = true;
        while (root != null) {
            resolved &= !(root instanceof UnresolvedAddressException);
            refused |= root instanceof ConnectException;
            secure &= !(root instanceof SSLException);
            root = root.getCause();
        }
        if (!resolved) {
            return unavailable(
                    "has a host name that is not known", "Check model.baseUrl in config.json and the network.");
        }
        if (refused) {
            return unavailable(
                    "refused the connection", "Start the model's server, or check model.baseUrl in config.json.");
        }
        return secure
                ? unavailable("closed the connection without an answer", "Try again later.")
                : unavailable(
                        "does not prove who it is (TLS)", "Check model.baseUrl in config.json and the certificate.");
    }

    private Ending half() {
        return unavailable(
                events == 0 ? "ended its answer before it began" : "ended its answer in the middle", "Try again.");
    }

    private static Ending unavailable(String seen, String next) {
        return new Ending.Broken(ModelFault.UNAVAILABLE, seen, next);
    }

    private Ending expired(String what) {
        return new Ending.Broken(ModelFault.DEADLINE, what + " within " + deadline.describe(), deadline.howToRaise());
    }

    private static Ending tooLarge(String how) {
        return new Ending.Broken(
                ModelFault.INVALID,
                "sent an answer " + how + ", which was given up",
                "Set model.maxOutputTokens in config.json, or use another model: this one may not find an end.");
    }

    private static Ending unreadable(String what) {
        return new Ending.Broken(
                ModelFault.INVALID, "sent " + what, "Check that model.provider and model.baseUrl belong together.");
    }

    /// The library's own way to cancel is not used: it would not reach a request that waits.
    private static final class NeverCancelled implements ServerSentEventParsingHandle {
        @Override
        public void cancel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }
}
