package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.config.ModelSettings;
import dev.postern.model.ChatModels;
import dev.postern.model.LocalOllama;
import dev.postern.run.ModelInUse;
import dev.postern.run.Models;
import dev.postern.secret.SecretValue;
import dev.postern.secret.source.Resolution;
import dev.postern.secret.source.SecretResolver;
import dev.postern.server.SecretRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The model that `config.json` names, or a local Ollama's (MDL-1). Its key is redacted like any other secret from
/// the moment it is known (SEC-5).
final class ConfiguredModel implements Models {
    private final @Nullable ModelSettings configured;
    private final SecretResolver resolver;
    private final SecretRegistry secrets;
    private @Nullable ModelInUse open;

    ConfiguredModel(@Nullable ModelSettings configured, SecretResolver resolver, SecretRegistry secrets) {
        this.configured = configured;
        this.resolver = resolver;
        this.secrets = secrets;
    }

    @Override
    public synchronized Answer<ModelInUse> model() {
        if (open != null) {
            return new Answer.Here<>(open);
        }
        var settings = configured == null ? LocalOllama.find(LocalOllama.USUAL_PLACE) : configured;
        if (settings == null) {
            return new Answer.Not<>(new Problem(
                    ErrorCode.MODEL_ABSENT,
                    "No model is configured, and no Ollama with a model answers on this machine.",
                    "Name one in config.json, such as \"model\": {\"provider\": \"openai\", \"name\": \"gpt-5-mini\","
                            + " \"apiKey\": {\"credential\": \"openai\"}}, or start Ollama and pull a model."));
        }
        var reference = settings.apiKey();
        return switch (reference == null ? null : resolver.resolve(reference, ModelSettings.KEY)) {
            case null -> opened(settings, null);
            case Resolution.Missing missing -> new Answer.Not<>(inTheWayOfTheModel(missing.problem()));
            case Resolution.Plain plain -> opened(settings, new SecretValue(ModelSettings.KEY, plain.value()));
            case Resolution.Found found -> opened(settings, found.value());
        };
    }

    private static Problem inTheWayOfTheModel(Problem problem) {
        return new Problem(ErrorCode.MODEL_AUTHENTICATION, problem.message(), problem.next());
    }

    private Answer<ModelInUse> opened(ModelSettings settings, @Nullable SecretValue key) {
        if (key != null) {
            secrets.add(List.of(key));
        }
        var bounds = settings.bounds();
        open = new ModelInUse(ChatModels.open(settings, key), bounds.contextTokens(), bounds.maxOutputTokens());
        return new Answer.Here<>(open);
    }

    @Override
    public synchronized void close() {
        if (open != null) {
            open.model().close();
        }
    }
}
