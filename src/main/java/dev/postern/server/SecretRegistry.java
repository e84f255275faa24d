package dev.postern.server;

import dev.postern.secret.Redactor;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Every secret that any server of this host, or its model, was given, and the redactor over all of them: what one
/// server was
/// given may come back from another (SEC-5). Grows only. Safe for use by many threads.
public final class SecretRegistry {
    private final List<SecretValue> given = new ArrayList<>();
    private volatile Redactor redactor = Redactor.none();

    /// Called before the values leave for a server or a model.
    public synchronized void add(Collection<SecretValue> values) {
        if (!values.isEmpty()) {
            given.addAll(values);
            redactor = new Redactor(List.copyOf(given));
        }
    }

    public Redactor redactor() {
        return redactor;
    }
}
