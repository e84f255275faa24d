package dev.postern.secret;

/// Where a value comes from, as `config.json` says it (SEC-1). Holds no secret: listings print it as it is.
public sealed interface SecretRef {
    /// `{"env":"NAME"}`: a variable of the host's environment.
    record Env(String name) implements SecretRef {
        @Override
        public String describe() {
            return "env:" + name;
        }
    }

    /// `{"credential":"name"}`: a protected file in the data directory (SEC-2).
    record Credential(String name) implements SecretRef {
        @Override
        public String describe() {
            return "credential:" + name;
        }
    }

    /// `{"value":"literal"}`: not a secret; never redacted.
    record Literal(String value) implements SecretRef {
        @Override
        public String describe() {
            return "value";
        }
    }

    /// For people: `env:GITHUB_TOKEN`, `credential:github`, `value`.
    String describe();
}
