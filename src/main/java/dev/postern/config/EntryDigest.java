package dev.postern.config;

import dev.postern.base.Limit;
import dev.postern.base.Timeout;
import dev.postern.secret.SecretRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;

/// Writes an entry as one unambiguous text and hashes it. Each part carries its length, so that no two entries
/// share a text; references go in as references, never as the secrets behind them.
final class EntryDigest {
    private final StringBuilder text = new StringBuilder();

    private EntryDigest() {}

    static String of(ServerEntry entry) {
        var digest = new EntryDigest();
        digest.entry(entry);
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(digest.text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private void entry(ServerEntry entry) {
        part("postern-entry-1");
        part(entry.id());
        part(entry.enabled() ? "enabled" : "disabled");
        list(entry.tools());
        list(entry.scheduledTools());
        part(entry.approval().name());
        part(entry.parallel() ? "parallel" : "serial");
        part(entry.protocol().name());
        for (var limit : Limit.values()) {
            part(Integer.toString(entry.limits().get(limit)));
        }
        for (var timeout : Timeout.values()) {
            part(entry.timeouts().get(timeout).toString());
        }
        switch (entry.launch()) {
            case Launch.Stdio stdio -> {
                part("stdio");
                part(stdio.command());
                list(stdio.args());
                part(stdio.cwd() == null ? "" : stdio.cwd().toString());
                references(stdio.environment());
            }
            case Launch.Remote remote -> {
                part(remote.type().key());
                part(remote.url().toString());
                references(remote.headers());
                part(remote.oauth() ? "oauth" : "");
            }
        }
    }

    private void references(SortedMap<String, SecretRef> references) {
        text.append(references.size()).append('#');
        for (var reference : references.entrySet()) {
            part(reference.getKey());
            switch (reference.getValue()) {
                case SecretRef.Env env -> part("env:" + env.name());
                case SecretRef.Credential credential -> part("credential:" + credential.name());
                case SecretRef.Literal literal -> part("value:" + literal.value());
            }
        }
    }

    private void list(List<String> parts) {
        text.append(parts.size()).append('#');
        parts.forEach(this::part);
    }

    private void part(String part) {
        text.append(part.length()).append(':').append(part);
    }
}
