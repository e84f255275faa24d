package dev.postern.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.postern.config.ModelProvider;
import dev.postern.config.ModelSettings;
import dev.postern.secret.SecretValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The library's model for each provider, made for one request, which decides about time and size itself: the
/// library's streaming models retry nothing, and log only where they are told to.
final class Providers {
    /// Stands for a key where the library insists on one; no header with it is sent.
    static final String NO_KEY = "no key";

    private Providers() {}

    static StreamingChatModel model(ModelSettings settings, @Nullable SecretValue key, HttpClient http) {
        var client = new Given(http);
        int most = settings.bounds().maxOutputTokens();
        String url = settings.baseUrl().toString();
        return switch (settings.provider()) {
            case OPENAI -> {
                var builder = OpenAiStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .baseUrl(url)
                        .apiKey(key == null ? null : header(key))
                        .modelName(settings.name())
                        .strictTools(true);
                // OpenAI's newer models refuse the old name, and others who speak its API know no other.
                yield settings.baseUrl().equals(ModelProvider.OPENAI.baseUrl())
                        ? builder.maxCompletionTokens(most).build()
                        : builder.maxTokens(most).build();
            }
            case ANTHROPIC ->
                AnthropicStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .baseUrl(url)
                        .apiKey(key == null ? NO_KEY : header(key))
                        .modelName(settings.name())
                        .maxTokens(most)
                        .build();
            case GEMINI ->
                GoogleAiGeminiStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .baseUrl(url)
                        .apiKey(key == null ? null : header(key))
                        .modelName(withoutPrefix(settings.name()))
                        .maxOutputTokens(most)
                        .returnThinking(true)
                        .sendThinking(true)
                        .build();
        };
    }

    /// What a header can hold: visible ASCII and blanks inside, as keys are made of.
    static boolean fitsHeader(SecretValue key) {
        String text = header(key);
        return !text.isEmpty() && text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
    }

    /// A line break at the end is no part of a key, and often of the file that it came from.
    private static String header(SecretValue key) {
        return key.reveal().strip();
    }

    /// Some lists of models name them with the collection that they are in.
    private static String withoutPrefix(String name) {
        return name.startsWith("models/") ? name.substring("models/".length()) : name;
    }

    /// Hands over a client that is there already.
    private record Given(HttpClient http) implements HttpClientBuilder {
        @Override
        public @Nullable Duration connectTimeout() {
            return null;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public @Nullable Duration readTimeout() {
            return null;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public HttpClient build() {
            return http;
        }
    }
}
