package dev.postern.process;

import dev.postern.secret.SecretValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What to start. The child gets exactly `environment`, the revealed `secrets` and the marker
/// [#MARKER]; nothing of the host's environment besides (SEC-4).
///
/// @param server its id, for messages and names of threads
/// @param command a path, or a bare name that is looked up on the `PATH` in `environment`
/// @param cwd null for the host's own working directory
/// @param environment variables that are no secrets, the base variables among them
/// @param secrets by the variable that carries them
public record LaunchSpec(
        String server,
        String command,
        List<String> args,
        @Nullable Path cwd,
        Map<String, String> environment,
        Map<String, SecretValue> secrets) {
    /// The variable by which every process of an instance is known, daemons included: children inherit it.
    public static final String MARKER = "POSTERN_INSTANCE";

    public LaunchSpec {
        args = List.copyOf(args);
        environment = Map.copyOf(environment);
        secrets = Map.copyOf(secrets);
    }
}
