package dev.postern.config;

import java.net.URI;

/// Whose chat API a model speaks (MDL-1).
public enum ModelProvider {
    /// OpenAI's chat completions, which many others speak too.
    OPENAI("https://api.openai.com/v1"),
    /// Anthropic's messages.
    ANTHROPIC("https://api.anthropic.com/v1"),
    /// Google's `generateContent`.
    GEMINI("https://generativelanguage.googleapis.com/v1beta");

    private final URI baseUrl;

    ModelProvider(String baseUrl) {
        this.baseUrl = URI.create(baseUrl);
    }

    /// Where it is, unless a configuration says otherwise.
    public URI baseUrl() {
        return baseUrl;
    }
}
