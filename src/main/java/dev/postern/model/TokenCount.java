package dev.postern.model;

import java.util.function.ToLongFunction;

/// What the parts of a conversation take, by what their texts take.
///
/// @param ofText tokens of a text; safe for use by many threads
public record TokenCount(ToLongFunction<String> ofText) {
    /// What a message and a definition cost besides their texts: roles, names, separators.
    private static final int FRAME = 8;

    public long of(String text) {
        return ofText.applyAsLong(text);
    }

    public long of(ToolDefinition tool) {
        return FRAME
                + of(tool.name())
                + of(tool.description())
                + of(tool.parameters().toString());
    }

    public long of(Message message) {
        return switch (message) {
            case Message.User user -> FRAME + of(user.text());
            case Message.Assistant assistant ->
                FRAME
                        + of(assistant.text())
                        + assistant.calls().stream()
                                .mapToLong(call -> FRAME + of(call.name()) + of(call.arguments()))
                                .sum();
            case Message.Results results ->
                results.answers().stream()
                        .mapToLong(answer -> FRAME + of(answer.text()))
                        .sum();
        };
    }

    public long of(ModelRequest request) {
        return FRAME
                + of(request.system())
                + request.messages().stream().mapToLong(this::of).sum()
                + request.tools().stream().mapToLong(this::of).sum();
    }

    /// Where the provider says nothing.
    Usage usage(ModelRequest request, Message.Assistant answer) {
        return new Usage(of(request), of(answer), true);
    }
}
