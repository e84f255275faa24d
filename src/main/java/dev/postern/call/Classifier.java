package dev.postern.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.Outcome.Failed;
import dev.postern.call.Outcome.NotSent;
import dev.postern.call.Outcome.Succeeded;
import dev.postern.call.Outcome.Unknown;
import dev.postern.catalog.Tool;
import dev.postern.mcp.Era;
import dev.postern.mcp.Reply;
import dev.postern.secret.Redactor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns what became of one `tools/call` into its outcome (CAL-2), redacted and made to fit. Whatever was sent
/// and not validly answered is `unknown`: the server may have done it.
///
/// @param redactor asked when there is something to redact: by then other servers may have been given secrets
/// @param resultBytes what a result may take, see [dev.postern.base.Limit#RESULT_BYTES]
record Classifier(String server, Tool tool, Era era, Supplier<Redactor> redactor, int resultBytes) {
    /// An answer's own error text is repeated up to here, in chars.
    private static final int MESSAGE_LENGTH = 2_000;

    /// Sends by `sending`, once, and tells what became of it. Whatever breaks in here ends in an outcome too: an
    /// exception that lost one would hide that the server may have acted.
    Outcome outcomeOf(Supplier<Reply> sending) {
        try {
            return classify(sending.get());
        } catch (Throwable fault) {
            return unknown(
                    ErrorCode.UNKNOWN_UNPROCESSED,
                    "may have answered what could not be processed ("
                            + fault.getClass().getSimpleName() + ")",
                    "");
        }
    }

    private Outcome classify(Reply reply) {
        return switch (reply) {
            case Reply.Result result -> answered(result.value());
            case Reply.Failure failure -> rpcError(failure);
            case Reply.NotSent notSent -> new NotSent(redacted(notSent.reason(), redactor.get()));
            case Reply.TimedOut late ->
                unknown(
                        ErrorCode.UNKNOWN_DEADLINE,
                        late.describe("the call"),
                        late.strays() == 0 ? late.deadline().howToRaise() : "Tell the server's authors.");
            case Reply.Cancelled cancelled ->
                unknown(ErrorCode.UNKNOWN_CANCELLED, "had not answered when the call was cancelled", "");
            case Reply.Ended ended -> {
                var reason = redacted(ended.reason(), redactor.get());
                yield unknown(
                        ErrorCode.UNKNOWN_ENDED, "did not answer: " + withoutFullStop(reason.message()), reason.next());
            }
        };
    }

    private Outcome answered(JsonNode value) {
        return switch (RawResult.read(value, tool, era)) {
            case RawResult.Complete complete -> complete(complete);
            case RawResult.Breaking breaking ->
                new Failed(
                        new Problem(
                                ErrorCode.RESULT_INVALID,
                                "The tool \"" + tool.name() + "\" of the server \"" + server
                                        + "\" ran, but its result is invalid: "
                                        + redactor.get().redact(breaking.what()).text() + ".",
                                "The tool has run: check what it did before you call it again, and tell the server's"
                                        + " authors."),
                        shape(breaking.content(), null));
            case RawResult.InputRequired input ->
                new Failed(
                        new Problem(
                                ErrorCode.RESULT_INPUT_REQUIRED,
                                "The tool \"" + tool.name() + "\" of the server \"" + server
                                        + "\" asked for further input, which Postern never gives.",
                                "The tool may have acted already: check before you call it again."),
                        shape(JsonNodeFactory.instance.arrayNode(), null));
            case RawResult.Malformed malformed ->
                unknown(ErrorCode.UNKNOWN_MALFORMED, "answered " + malformed.what(), "");
        };
    }

    private Outcome complete(RawResult.Complete complete) {
        var result = shape(complete.content(), complete.structured());
        if (!complete.error()) {
            return new Succeeded(result);
        }
        return new Failed(
                new Problem(
                        ErrorCode.RESULT_ERROR,
                        "The tool \"" + tool.name() + "\" of the server \"" + server + "\" answered an error.",
                        "Its own words are in the result."),
                result);
    }

    private Outcome rpcError(Reply.Failure failure) {
        var said = RoughCut.head(failure.message(), 2 * MESSAGE_LENGTH, redactor.get());
        var text = TextCut.toFit(said.text(), MESSAGE_LENGTH);
        return new Failed(
                new Problem(
                        ErrorCode.RESULT_RPC_ERROR,
                        "The server \"" + server + "\" answered the call of \"" + tool.name() + "\" with error "
                                + failure.code() + ": " + text,
                        "This is the server's answer; the call was not repeated."),
                ResultShaper.shape(JsonNodeFactory.instance.arrayNode(), null, said.count(), resultBytes));
    }

    private ToolResult shape(ArrayNode content, @Nullable JsonNode structured) {
        return ResultShaper.shape(content, structured, redactor.get(), resultBytes);
    }

    static Problem redacted(Problem problem, Redactor redactor) {
        return new Problem(
                problem.code(),
                redactor.redact(problem.message()).text(),
                redactor.redact(problem.next()).text());
    }

    static String withoutFullStop(String message) {
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private Outcome unknown(ErrorCode code, String what, String next) {
        return new Unknown(new Problem(
                code,
                "The outcome is unknown: the call of \"" + tool.name() + "\" was sent, and the server \"" + server
                        + "\" " + what + ". It may have done it.",
                next.isEmpty()
                        ? "Check with the server before you call again; the call was not repeated."
                        : "Check with the server before you call again; the call was not repeated. " + next));
    }
}
