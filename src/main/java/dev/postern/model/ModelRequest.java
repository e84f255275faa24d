package dev.postern.model;

import java.util.List;

/// All that a model is told at once: no model remembers what it was asked before.
///
/// @param system what it is told to be; may be empty
/// @param messages the conversation, oldest first; the last one is not the model's
/// @param tools what it may call
public record ModelRequest(String system, List<Message> messages, List<ToolDefinition> tools) {
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
