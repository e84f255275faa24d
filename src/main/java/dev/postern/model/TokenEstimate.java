package dev.postern.model;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/// Estimates tokens before anybody counts them (RUN-3), with the encoding of OpenAI's newer models. Others differ, as
/// a rule by less than a fifth for English and by more for other languages and code. Loading the encoding takes some
/// tenths of a second, the first time. Safe for use by many threads.
public final class TokenEstimate {
    /// What a message and a definition cost besides their texts: roles, names, separators.
    private static final int FRAME = 8;

    /// A longer text is estimated in pieces, so that none is slow.
    private static final int PIECE = 4_096;

    private TokenEstimate() {}

    public static long of(String text) {
        long tokens = 0;
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + PIECE);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            tokens += Loaded.ENCODING.countTokensOrdinary(text.substring(from, to));
            from = to;
        }
        return tokens;
    }

    public static long of(ToolDefinition tool) {
        return FRAME
                + of(tool.name())
                + of(tool.description())
                + of(tool.parameters().toString());
    }

    public static long of(Message message) {
        return switch (message) {
            case Message.User user -> FRAME + of(user.text());
            case Message.Assistant assistant -> {
                long tokens = FRAME + of(assistant.text());
                for (var call : assistant.calls()) {
                    tokens += FRAME + of(call.name()) + of(call.arguments());
                }
                yield tokens;
            }
            case Message.Results results -> {
                long tokens = 0;
                for (var answer : results.answers()) {
                    tokens += FRAME + of(answer.text());
                }
                yield tokens;
            }
        };
    }

    public static long of(ModelRequest request) {
        long tokens = FRAME + of(request.system());
        for (var message : request.messages()) {
            tokens += of(message);
        }
        for (var tool : request.tools()) {
            tokens += of(tool);
        }
        return tokens;
    }

    static Usage usage(ModelRequest request, Message.Assistant answer) {
        return new Usage(of(request), of(answer), true);
    }

    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    }
}
