package dev.postern.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.base.Durations;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a provider says when it does not answer. Its kinds are told apart by the status first and by the words where
/// the status is the same for several; words are matched without regard to case.
final class ErrorBody {
    private static final JsonMapper JSON = new JsonMapper();

    /// Longer waits are no waits.
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);

    /// How the providers, and the servers that speak like them, say that a conversation is too long.
    private static final List<String> OVERFLOW = List.of(
            "context_length_exceeded",
            "maximum context length",
            "prompt is too long",
            "exceed context limit",
            "exceeds the maximum number of tokens",
            "exceed_context_size",
            "exceeds the available context size",
            "context the overflows",
            "context window",
            "request_too_large");

    private static final List<String> BAD_KEY = List.of(
            "api_key_invalid", "api key not valid", "invalid_api_key", "authentication_error", "permission_error");

    private static final List<String> TOO_MUCH =
            List.of("rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "insufficient_quota");

    private final String text;

    /// The object that describes the error, or the whole body where it is an object without one.
    private final @Nullable JsonNode error;

    private final boolean inside;

    ErrorBody(String text) {
        this.text = text;
        var body = object(text);
        inside = body != null && body.hasNonNull("error");
        error = inside && body != null ? body.get("error") : body;
    }

    /// Gemini puts the object into an array, now and then.
    private static @Nullable JsonNode object(String text) {
        try {
            var node = JSON.readTree(text);
            var first = node != null && node.isArray() ? node.path(0) : node;
            return first != null && first.isObject() ? first : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /// It is what a provider sends in place of an answer.
    boolean tellsOfError() {
        return error != null && (inside || error.path("object").asText().equals("error"));
    }

    /// With a status that is no success.
    Ending.Broken of(int status, HttpHeaders headers) {
        var fault = fault(status);
        var wait = fault == ModelFault.RATE_LIMIT || fault == ModelFault.UNAVAILABLE ? wait(headers) : null;
        return new Ending.Broken(fault, "answered with status " + status + said(), next(fault, status, wait), wait);
    }

    /// In the middle of an answer.
    Ending.Broken inStream() {
        var fault = byWords(ModelFault.UNAVAILABLE);
        return new Ending.Broken(
                fault, "broke its answer off with an error" + said(), next(fault, 0, null), toldWait());
    }

    private ModelFault fault(int status) {
        if (status >= 500) {
            return ModelFault.UNAVAILABLE;
        }
        return switch (status) {
            case 401, 403, 407 -> ModelFault.AUTHENTICATION;
            case 402, 429 -> ModelFault.RATE_LIMIT;
            case 408 -> ModelFault.UNAVAILABLE;
            case 413 -> ModelFault.CONTEXT_OVERFLOW;
            default -> byWords(ModelFault.INVALID);
        };
    }

    private ModelFault byWords(ModelFault otherwise) {
        String lower = (error == null ? text : error.toString()).toLowerCase(Locale.ROOT);
        if (OVERFLOW.stream().anyMatch(lower::contains)) {
            return ModelFault.CONTEXT_OVERFLOW;
        }
        if (BAD_KEY.stream().anyMatch(lower::contains)) {
            return ModelFault.AUTHENTICATION;
        }
        return TOO_MUCH.stream().anyMatch(lower::contains) ? ModelFault.RATE_LIMIT : otherwise;
    }

    private String said() {
        String said = "";
        if (error == null) {
            said = text;
        } else if (error.isTextual()) {
            said = error.textValue();
        } else if (error.path("message").isTextual()) {
            said = error.path("message").textValue();
        } else {
            said = error.toString();
        }
        return said.isBlank() ? "" : ": " + said.strip();
    }

    private static String next(ModelFault fault, int status, @Nullable Duration wait) {
        return switch (fault) {
            case AUTHENTICATION -> "Check model.apiKey in config.json, and that its key may use this model.";
            case RATE_LIMIT ->
                wait == null
                        ? "Wait, or look at the limits and the credit of this key at the provider."
                        : "Wait " + Durations.text(wait) + ", as the provider says, and try again.";
            case CONTEXT_OVERFLOW ->
                "Start a new conversation or allow fewer tools; model.contextTokens in config.json may be more than"
                        + " this model takes.";
            case UNAVAILABLE -> "Try again later; the fault is the provider's.";
            case DEADLINE, INVALID ->
                status == 404
                        ? "Check model.name and model.baseUrl in config.json."
                        : "Check the keys of model in config.json against what the provider says.";
        };
    }

    private @Nullable Duration wait(HttpHeaders headers) {
        var millis = headers.firstValue("retry-after-ms").orElse("");
        if (isNumber(millis)) {
            return bounded(Duration.ofMillis(Long.parseLong(millis)));
        }
        var after = headers.firstValue("retry-after").orElse("");
        if (isNumber(after)) {
            return bounded(Duration.ofSeconds(Long.parseLong(after)));
        }
        var until = date(after);
        var now = date(headers.firstValue("date").orElse(""));
        if (until != null && now != null) {
            return bounded(Duration.between(now, until));
        }
        return toldWait();
    }

    /// Gemini says it in the body only, as `"retryDelay": "33s"`.
    private @Nullable Duration toldWait() {
        if (error == null) {
            return null;
        }
        for (var detail : error.path("details")) {
            String delay = detail.path("retryDelay").asText();
            int end = delay.indexOf('.') >= 0 ? delay.indexOf('.') : delay.length() - 1;
            if (delay.endsWith("s") && end > 0 && isNumber(delay.substring(0, end))) {
                return bounded(Duration.ofSeconds(Long.parseLong(delay.substring(0, end)))
                        .plusSeconds(delay.indexOf('.') >= 0 ? 1 : 0));
            }
        }
        return null;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static @Nullable ZonedDateTime date(String text) {
        try {
            return text.isEmpty() ? null : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Duration bounded(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
