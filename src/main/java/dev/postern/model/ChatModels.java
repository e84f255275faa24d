package dev.postern.model;

import dev.postern.config.ModelSettings;
import dev.postern.secret.SecretValue;
import org.jspecify.annotations.Nullable;

/// Makes chat models. Nothing heavy is loaded before one is asked.
public final class ChatModels {
    private ChatModels() {}

    /// One that is asked as the settings say.
    ///
    /// @param key what the reference in the settings leads to; null where they have none
    public static ChatModel open(ModelSettings settings, @Nullable SecretValue key) {
        return new StreamedModel(settings, key);
    }
}
