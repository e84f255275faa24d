package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 in lower-case hex.
public final class Digest {
    private Digest() {}

    /// The same for every way to write the same JSON value, and different for any two that differ (CAT-6).
    public static String of(JsonNode value) {
        return of(CanonicalJson.text(value));
    }

    /// Over the UTF-8 of `text`.
    public static String of(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
