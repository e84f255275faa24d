package dev.postern.model;

/// What a model is told about one of its calls.
///
/// @param id that of the [ToolCall]
/// @param name that of the [ToolCall]
/// @param error the call did not do what it should
public record ToolAnswer(String id, String name, String text, boolean error) {}
