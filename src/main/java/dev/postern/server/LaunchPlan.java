package dev.postern.server;

import dev.postern.base.Problem;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import dev.postern.process.LaunchSpec;
import dev.postern.secret.SecretValue;
import dev.postern.secret.source.Resolution;
import java.util.Objects;
import java.util.TreeMap;

/// How a server would be started now, or why it can't be. Resolving reads credentials and starts nothing.
sealed interface LaunchPlan {
    record Possible(LaunchSpec spec) implements LaunchPlan {}

    /// Not tried: the server is `unavailable` (SEC-3).
    record Impossible(Problem problem) implements LaunchPlan {}

    static LaunchPlan of(ServerEntry entry, Surroundings surroundings) {
        return switch (entry.launch()) {
            case Launch.Remote remote -> new Impossible(Objects.requireNonNull(entry.unsupported()));
            case Launch.Stdio stdio -> local(entry.id(), stdio, surroundings);
        };
    }

    private static LaunchPlan local(String server, Launch.Stdio stdio, Surroundings surroundings) {
        var plain = new TreeMap<>(surroundings.environment().childBase());
        var secrets = new TreeMap<String, SecretValue>();
        for (var variable : stdio.environment().entrySet()) {
            switch (surroundings.resolver().resolve(variable.getValue(), variable.getKey())) {
                case Resolution.Plain literal -> plain.put(variable.getKey(), literal.value());
                case Resolution.Found found -> secrets.put(variable.getKey(), found.value());
                case Resolution.Missing missing -> {
                    return new Impossible(new Problem(
                            missing.problem().code(),
                            "The server \"" + server + "\" can't be started, because its variable "
                                    + variable.getKey() + " can't be filled: "
                                    + missing.problem().message(),
                            missing.problem().next()));
                }
            }
        }
        secrets.keySet().forEach(plain::remove);
        surroundings.secrets().add(secrets.values());
        return new Possible(new LaunchSpec(server, stdio.command(), stdio.args(), stdio.cwd(), plain, secrets));
    }
}
