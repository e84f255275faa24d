package dev.postern.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.ModelTurn.Part;
import dev.postern.testkit.ModelTurn.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How a provider words its answers and errors.
enum ModelSpeech {
    OPENAI {
        @Override
        List<String> events(ModelTurn.Answer answer) {
            var events = new ArrayList<String>();
            int calls = 0;
            for (var part : answer.parts()) {
                switch (part) {
                    case Part.Text text -> events.add(chunk("{\"content\":" + json(text.text()) + "}", null));
                    case Part.Call call -> {
                        String head = "{\"tool_calls\":[{\"index\":" + calls++ + ",";
                        events.add(chunk(
                                head + "\"id\":" + json(call.id()) + ",\"type\":\"function\",\"function\":{\"name\":"
                                        + json(call.name()) + ",\"arguments\":\"\"}}]}",
                                null));
                        for (var piece : halves(call.arguments())) {
                            events.add(chunk(head + "\"function\":{\"arguments\":" + json(piece) + "}}]}", null));
                        }
                    }
                }
            }
            return events;
        }

        @Override
        List<String> end(ModelTurn.Answer answer) {
            String why = switch (answer.end()) {
                case CUT_SHORT -> "length";
                case WITHHELD -> "content_filter";
                default -> calls(answer) ? "tool_calls" : "stop";
            };
            var events = new ArrayList<String>();
            events.add(chunk("{}", why));
            if (answer.input() > 0) {
                events.add("data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{"
                        + "\"prompt_tokens\":" + answer.input() + ",\"completion_tokens\":" + answer.output()
                        + ",\"total_tokens\":" + (answer.input() + answer.output()) + "}}\n\n");
            }
            events.add("data: [DONE]\n\n");
            return events;
        }

        @Override
        String error(Refusal refusal) {
            return switch (refusal.why()) {
                case KEY -> body(refusal, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key");
                case RATE -> body(refusal, "Rate limit reached for requests.", "requests", "rate_limit_exceeded");
                case OVERFLOW ->
                    body(
                            refusal,
                            "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
                            "invalid_request_error",
                            "context_length_exceeded");
                case FAULT -> body(refusal, "The server had an error.", "server_error", "server_error");
            };
        }

        private static String body(Refusal refusal, String usual, String type, String code) {
            return "{\"error\":{\"message\":" + json(said(refusal, usual)) + ",\"type\":\"" + type
                    + "\",\"param\":null,\"code\":\"" + code + "\"}}";
        }

        private static String chunk(String delta, String why) {
            return "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":"
                    + "[{\"index\":0,\"delta\":" + delta + ",\"logprobs\":null,\"finish_reason\":"
                    + (why == null ? "null" : json(why)) + "}]}\n\n";
        }
    },

    ANTHROPIC {
        @Override
        List<String> events(ModelTurn.Answer answer) {
            var events = new ArrayList<String>();
            events.add(event(
                    "message_start",
                    ",\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\","
                            + "\"usage\":{\"input_tokens\":" + answer.input() + ",\"output_tokens\":0}}"));
            events.add(event("ping", ""));
            int index = 0;
            boolean open = false;
            for (var part : answer.parts()) {
                switch (part) {
                    case Part.Text text -> {
                        if (!open) {
                            events.add(start(index, "{\"type\":\"text\",\"text\":\"\"}"));
                            open = true;
                        }
                        events.add(delta(index, "{\"type\":\"text_delta\",\"text\":" + json(text.text()) + "}"));
                    }
                    case Part.Call call -> {
                        if (open) {
                            events.add(stop(index++));
                            open = false;
                        }
                        events.add(start(
                                index,
                                "{\"type\":\"tool_use\",\"id\":" + json(call.id()) + ",\"name\":" + json(call.name())
                                        + ",\"input\":{}}"));
                        for (var piece : halves(call.arguments())) {
                            events.add(delta(
                                    index, "{\"type\":\"input_json_delta\",\"partial_json\":" + json(piece) + "}"));
                        }
                        events.add(stop(index++));
                    }
                }
            }
            if (open && answer.end() != End.ENDLESS) {
                events.add(stop(index));
            }
            return events;
        }

        @Override
        List<String> end(ModelTurn.Answer answer) {
            String why = switch (answer.end()) {
                case CUT_SHORT -> "max_tokens";
                case WITHHELD -> "refusal";
                default -> calls(answer) ? "tool_use" : "end_turn";
            };
            return List.of(
                    event(
                            "message_delta",
                            ",\"delta\":{\"stop_reason\":\"" + why
                                    + "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":" + answer.output()
                                    + "}"),
                    event("message_stop", ""));
        }

        @Override
        String error(Refusal refusal) {
            return switch (refusal.why()) {
                case KEY -> body(refusal, "invalid x-api-key", "authentication_error");
                case RATE -> body(refusal, "This request would exceed your rate limit.", "rate_limit_error");
                case OVERFLOW ->
                    body(refusal, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error");
                case FAULT -> body(refusal, "Internal server error", "api_error");
            };
        }

        private static String body(Refusal refusal, String usual, String type) {
            return "{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\",\"message\":" + json(said(refusal, usual))
                    + "}}";
        }

        private static String event(String type, String members) {
            return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
        }

        private static String start(int index, String block) {
            return event("content_block_start", ",\"index\":" + index + ",\"content_block\":" + block);
        }

        private static String delta(int index, String delta) {
            return event("content_block_delta", ",\"index\":" + index + ",\"delta\":" + delta);
        }

        private static String stop(int index) {
            return event("content_block_stop", ",\"index\":" + index);
        }
    },

    GEMINI {
        @Override
        List<String> events(ModelTurn.Answer answer) {
            var events = new ArrayList<String>();
            boolean first = true;
            for (var part : answer.parts()) {
                switch (part) {
                    case Part.Text text -> events.add(chunk("{\"text\":" + json(text.text()) + "}", null, answer));
                    case Part.Call call -> {
                        if (isObject(call.arguments())) {
                            String id = call.id().isEmpty() ? "" : "\"id\":" + json(call.id()) + ",";
                            events.add(chunk(
                                    "{\"functionCall\":{" + id + "\"name\":" + json(call.name()) + ",\"args\":"
                                            + (call.arguments().isEmpty() ? "{}" : call.arguments()) + "}"
                                            + (first ? ",\"thoughtSignature\":\"c2lnbmVk\"" : "") + "}",
                                    null,
                                    answer));
                            first = false;
                        }
                    }
                }
            }
            return events;
        }

        @Override
        List<String> end(ModelTurn.Answer answer) {
            boolean malformed = answer.parts().stream()
                    .anyMatch(part -> part instanceof Part.Call call && !isObject(call.arguments()));
            String why = switch (answer.end()) {
                case CUT_SHORT -> "MAX_TOKENS";
                case WITHHELD -> "SAFETY";
                default -> malformed ? "MALFORMED_FUNCTION_CALL" : "STOP";
            };
            return List.of(chunk("{\"text\":\"\"}", why, answer));
        }

        @Override
        String error(Refusal refusal) {
            return switch (refusal.why()) {
                case KEY ->
                    body(
                            refusal,
                            400,
                            "API key not valid. Please pass a valid API key.",
                            "INVALID_ARGUMENT",
                            "{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"API_KEY_INVALID\"}");
                case RATE ->
                    body(
                            refusal,
                            429,
                            "You exceeded your current quota.",
                            "RESOURCE_EXHAUSTED",
                            "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"7s\"}");
                case OVERFLOW ->
                    body(
                            refusal,
                            400,
                            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
                            "INVALID_ARGUMENT",
                            "");
                case FAULT -> body(refusal, 500, "An internal error has occurred.", "INTERNAL", "");
            };
        }

        private static String body(Refusal refusal, int code, String usual, String status, String detail) {
            return "{\"error\":{\"code\":" + code + ",\"message\":" + json(said(refusal, usual)) + ",\"status\":\""
                    + status + "\",\"details\":[" + detail + "]}}";
        }

        private static String chunk(String part, String why, ModelTurn.Answer answer) {
            String usage = answer.input() == 0
                    ? ""
                    : ",\"usageMetadata\":{\"promptTokenCount\":" + answer.input() + ",\"candidatesTokenCount\":"
                            + answer.output() + ",\"totalTokenCount\":" + (answer.input() + answer.output()) + "}";
            return "data: {\"candidates\":[{\"content\":{\"parts\":[" + part + "],\"role\":\"model\"},\"index\":0"
                    + (why == null ? "" : ",\"finishReason\":\"" + why + "\"") + "}]" + usage
                    + ",\"modelVersion\":\"m\",\"responseId\":\"r1\"}\r\n\r\n";
        }
    };

    private static final JsonMapper JSON = new JsonMapper();

    /// Of a whole answer, all but its end.
    abstract List<String> events(ModelTurn.Answer answer);

    abstract List<String> end(ModelTurn.Answer answer);

    abstract String error(Refusal refusal);

    int status(Refusal.Why why) {
        return switch (why) {
            case KEY -> this == GEMINI ? 400 : 401;
            case RATE -> 429;
            case OVERFLOW -> 400;
            case FAULT -> 500;
        };
    }

    static ModelSpeech of(String path) {
        if (path.endsWith("/chat/completions")) {
            return OPENAI;
        }
        if (path.endsWith("/messages")) {
            return ANTHROPIC;
        }
        if (path.endsWith(":streamGenerateContent")) {
            return GEMINI;
        }
        throw new IllegalArgumentException(path.toLowerCase(Locale.ROOT));
    }

    private static boolean calls(ModelTurn.Answer answer) {
        return answer.parts().stream().anyMatch(Part.Call.class::isInstance);
    }

    private static String said(Refusal refusal, String usual) {
        return refusal.message() == null ? usual : refusal.message();
    }

    private static List<String> halves(String text) {
        return text.length() < 2
                ? List.of(text)
                : List.of(text.substring(0, text.length() / 2), text.substring(text.length() / 2));
    }

    private static boolean isObject(String text) {
        try {
            return text.isEmpty() || JSON.readTree(text) instanceof ObjectNode;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static String json(String text) {
        JsonNode node = JSON.getNodeFactory().textNode(text);
        return node.toString();
    }
}
