package dev.postern.config;

import dev.postern.base.WaitSetting;
import dev.postern.secret.SecretRef;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Which model a chat asks, and how (MDL-1).
///
/// @param name as the provider calls it
/// @param baseUrl what the provider's paths are appended to: `http` or `https`, a host, no user information, no
///     query, no fragment, no slash at the end
/// @param apiKey where the key comes from: the environment or a credential; null where none is needed
public record ModelSettings(
        ModelProvider provider,
        String name,
        URI baseUrl,
        @Nullable SecretRef apiKey,
        Bounds bounds) {
    public static final String KEY = "model.apiKey";

    /// A model that thinks for half an hour over one answer is not one to chat with.
    public static final WaitSetting TIMEOUT = new WaitSetting("model", "model.timeout", Duration.ofMinutes(30));

    /// What one request may take.
    ///
    /// @param contextTokens what request and answer may hold together (RUN-3)
    /// @param maxOutputTokens what an answer may hold; less than `contextTokens`
    /// @param timeout from the request to the last byte of its answer
    public record Bounds(int contextTokens, int maxOutputTokens, Duration timeout) {
        /// What nearly every model in use takes.
        public static final int STANDARD_CONTEXT = 128_000;

        /// Less would not hold the tools.
        public static final int LEAST_CONTEXT = 1_024;

        public static final int MOST_CONTEXT = 10_000_000;
        public static final int STANDARD_OUTPUT = 4_096;
        public static final int MOST_OUTPUT = 1_000_000;
        public static final Duration STANDARD_TIMEOUT = Duration.ofMinutes(2);

        public static final Bounds STANDARD = new Bounds(STANDARD_CONTEXT, STANDARD_OUTPUT, STANDARD_TIMEOUT);
    }
}
