package dev.postern.host;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.config.Launch;
import dev.postern.secret.SecretRef;
import dev.postern.server.ServerSupervisor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Warns of secrets that a server was given and that are too short to be redacted (SEC-5). Names references, never
/// values.
final class ShortSecrets {
    private ShortSecrets() {}

    static List<Problem> warnings(ServerSupervisor server) {
        var tooShort = server.redactor().unredactable();
        if (tooShort.isEmpty() || !(server.entry().launch() instanceof Launch.Stdio stdio)) {
            return List.of();
        }
        var warnings = new ArrayList<Problem>();
        for (var reference : new LinkedHashSet<>(stdio.environment().values())) {
            boolean named = switch (reference) {
                case SecretRef.Env env -> tooShort.contains(env.name());
                case SecretRef.Credential credential -> tooShort.contains(credential.name());
                case SecretRef.Literal _ -> false;
            };
            if (named) {
                warnings.add(warning(server.id(), reference));
            }
        }
        return warnings;
    }

    private static Problem warning(String server, SecretRef reference) {
        return new Problem(
                ErrorCode.SECRET_SHORT,
                "The secret " + reference.describe() + " of the server \"" + server
                        + "\" is too short to be redacted: shown is whatever the server makes of it.",
                "Use a secret of 8 characters at least, not all of them blanks.");
    }
}
