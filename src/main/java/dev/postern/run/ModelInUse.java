package dev.postern.run;

import dev.postern.model.ChatModel;

/// A model and how much it takes.
///
/// @param contextTokens of a request and its answer together
/// @param maxOutputTokens of an answer
public record ModelInUse(ChatModel model, long contextTokens, long maxOutputTokens) {}
