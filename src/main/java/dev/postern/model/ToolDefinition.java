package dev.postern.model;

import com.fasterxml.jackson.databind.JsonNode;

/// A tool as a model is told about it.
///
/// @param name at most 64 letters, digits, `_` and `-`
/// @param parameters a JSON Schema of an object whose properties are strings, integers, numbers, booleans or
///     enumerations of strings; strict, where every property is required and no other is allowed
public record ToolDefinition(String name, String description, JsonNode parameters) {}
