package dev.postern.model;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.LibraryLogs;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.config.ModelSettings;
import dev.postern.secret.Redactor;
import dev.postern.secret.SecretValue;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A model behind langchain4j.
final class StreamedModel implements ChatModel {
    /// Code points of what was seen: enough to know the fault by.
    private static final int LONGEST_MESSAGE = 500;

    static {
        LibraryLogs.silence();
    }

    private final ModelSettings settings;
    private final @Nullable SecretValue key;
    private final Redactor redactor;
    private final Cancellation closed = new Cancellation();

    StreamedModel(ModelSettings settings, @Nullable SecretValue key) {
        this.settings = settings;
        this.key = key;
        this.redactor = key == null ? Redactor.none() : new Redactor(List.of(key));
    }

    @Override
    public ModelReply ask(ModelRequest request, Consumer<String> onText, Deadline deadline, Cancellation cancellation) {
        if (key != null && !Providers.fitsHeader(key)) {
            return failed(
                    new Ending.Broken(
                            ModelFault.AUTHENTICATION,
                            "was not asked: its key is empty or holds what no HTTP header can",
                            "Store the key again, as its provider shows it."),
                    "");
        }
        var bound = deadline.earlier(Deadline.after(settings.bounds().timeout(), ModelSettings.TIMEOUT));
        var signs = new StreamSigns(settings.provider());
        var answer = new Gathering(onText);
        var unwanted = new Cancellation();
        var http = new OneRequest(signs, answer, bound, unwanted);
        try (var asker = cancellation.listen(unwanted::request);
                var owner = closed.listen(unwanted::request)) {
            Providers.model(settings, key, http).chat(Conversation.of(request, settings.provider()), answer);
        }
        answer.rethrow();
        var ending = http.ending();
        if (ending == null) {
            throw new IllegalStateException("nothing was sent");
        }
        return switch (ending) {
            case Ending.Whole whole -> answered(request, answer, signs);
            case Ending.Cancelled cancelled -> new ModelReply.Cancelled(answer.text());
            case Ending.Broken broken -> failed(broken, answer.text());
        };
    }

    private static ModelReply answered(ModelRequest request, Gathering answer, StreamSigns signs) {
        var calls = signs.cutShort() ? List.<ToolCall>of() : answer.calls(signs.seal());
        var usage = answer.usage();
        return new ModelReply.Answered(
                answer.text(),
                calls,
                usage == null ? TokenEstimate.COUNT.usage(request, new Message.Assistant(answer.text(), calls)) : usage,
                signs.cutShort());
    }

    /// Redacts before it shortens (SEC-5).
    private ModelReply failed(Ending.Broken broken, String partial) {
        var seen =
                redactor.redact("The model \"" + settings.name() + "\" at " + settings.baseUrl() + " " + broken.seen());
        String message = VisibleText.cut(VisibleText.of(seen.text()), LONGEST_MESSAGE);
        return new ModelReply.Failed(
                broken.fault(),
                new Problem(broken.fault().code(), message.endsWith(".") ? message : message + ".", next(broken)),
                broken.retryAfter(),
                partial);
    }

    /// Of a key that was not taken, says where it came from.
    private String next(Ending.Broken broken) {
        if (broken.fault() != ModelFault.AUTHENTICATION) {
            return broken.next();
        }
        var reference = settings.apiKey();
        return broken.next()
                + (reference == null
                        ? " No model.apiKey is configured."
                        : " It was read from " + reference.describe() + ".");
    }

    @Override
    public void close() {
        closed.request();
    }
}
