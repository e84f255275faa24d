package dev.postern.secret.source;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.secret.SecretRef;
import dev.postern.secret.SecretValue;

/// Turns references into values (SEC-1). A value is looked up anew each time, so a server that is started again
/// gets what is stored now. Reads, never writes.
public final class SecretResolver {
    private final HostEnvironment environment;
    private final CredentialStore credentials;

    public SecretResolver(HostEnvironment environment, CredentialStore credentials) {
        this.environment = environment;
        this.credentials = credentials;
    }

    /// The value behind a reference, or why there is none.
    ///
    /// @param variableName what the value is for, such as the child's environment variable; for messages
    public Resolution resolve(SecretRef reference, String variableName) {
        return switch (reference) {
            case SecretRef.Env env -> fromEnvironment(env, variableName);
            case SecretRef.Credential credential -> fromStore(credential, variableName);
            case SecretRef.Literal literal ->
                literal.value().indexOf('\0') < 0
                        ? new Resolution.Plain(literal.value())
                        : new Resolution.Missing(new Problem(
                                ErrorCode.SECRET_REFUSED,
                                "The literal value of " + VisibleText.of(variableName)
                                        + " has a NUL character in it, which no environment variable can hold.",
                                "Take the NUL out of the value in config.json."));
        };
    }

    private Resolution fromEnvironment(SecretRef.Env reference, String variableName) {
        var name = VisibleText.of(reference.name());
        var value = isName(reference.name()) ? environment.get(reference.name()) : null;
        if (value == null) {
            return missing(
                    ErrorCode.SECRET_MISSING,
                    needs(variableName, reference) + "the environment variable " + name + " is not set.",
                    "Set " + name + " in the environment that postern is started from, or refer to a stored"
                            + " credential instead.");
        }
        if (value.isEmpty()) {
            return missing(
                    ErrorCode.SECRET_MISSING,
                    needs(variableName, reference) + "the environment variable " + name
                            + " is set to the empty string, which counts as not set.",
                    "Give " + name + " a value in the environment that postern is started from.");
        }
        if (value.indexOf('\uFFFD') >= 0) {
            return missing(
                    ErrorCode.SECRET_REFUSED,
                    needs(variableName, reference) + "its value has bytes that are not UTF-8, which would not reach the"
                            + " server as they are.",
                    "Give " + name + " a value that is UTF-8.");
        }
        if (value.indexOf('\0') >= 0) {
            return missing(
                    ErrorCode.SECRET_REFUSED,
                    needs(variableName, reference) + "its value has a NUL character in it.",
                    "Give " + name + " a value without NUL.");
        }
        return new Resolution.Found(new SecretValue(reference.name(), value));
    }

    private Resolution fromStore(SecretRef.Credential reference, String variableName) {
        return switch (credentials.read(reference.name())) {
            case CredentialStore.Reading.Found found -> new Resolution.Found(found.value());
            case CredentialStore.Reading.Missing(Problem problem) -> because(problem, variableName, reference);
            case CredentialStore.Reading.Refused(Problem problem) -> because(problem, variableName, reference);
        };
    }

    private static Resolution because(Problem problem, String variableName, SecretRef reference) {
        return missing(problem.code(), needs(variableName, reference) + problem.message(), problem.next());
    }

    private static Resolution missing(ErrorCode code, String message, String next) {
        return new Resolution.Missing(new Problem(code, message, next));
    }

    private static String needs(String variableName, SecretRef reference) {
        return VisibleText.of(variableName) + " needs " + VisibleText.of(reference.describe()) + ": ";
    }

    /// Others can't be the name of a variable, and the JDK refuses some of them.
    private static boolean isName(String name) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
    }
}
