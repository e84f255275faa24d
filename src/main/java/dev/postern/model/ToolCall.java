package dev.postern.model;

import org.jspecify.annotations.Nullable;

/// A call that a model asks for. Nothing in it has been checked.
///
/// @param id names the call within its message; never empty, and no two calls of one reply share one
/// @param name as the model wrote it: maybe of no tool at all
/// @param arguments JSON text as the model wrote it: possibly malformed, possibly empty
/// @param seal what the provider wants back with the call when the conversation goes on, opaque; null for none
public record ToolCall(
        String id, String name, String arguments, @Nullable String seal) {
    public ToolCall(String id, String name, String arguments) {
        this(id, name, arguments, null);
    }
}
