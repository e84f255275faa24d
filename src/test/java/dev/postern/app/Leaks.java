package dev.postern.app;

import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The forms in which a server may give a secret back, and what must then be found nowhere (SEC-5).
final class Leaks {
    private Leaks() {}

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String quoted(String text) {
        var json = TextNode.valueOf(text).toString();
        return json.substring(1, json.length() - 1);
    }

    private static String escaped(String text, String form) {
        var out = new StringBuilder();
        text.chars().forEach(c -> out.append(String.format(Locale.ROOT, form, c)));
        return out.toString();
    }

    private static String percent(byte[] bytes) {
        return HexFormat.of().withUpperCase().withPrefix("%").formatHex(bytes);
    }

    /// What a server may make of a secret.
    static List<String> of(String secret) {
        byte[] bytes = utf8(secret);
        var wrapped = Base64.getEncoder().encodeToString(bytes).replaceAll("(.{20})", "$1  ");
        var leaks = new ArrayList<>(List.of(
                secret,
                quoted(secret),
                escaped(secret, "\\u%04x"),
                escaped(secret, "&#%d;"),
                URLEncoder.encode(secret, StandardCharsets.UTF_8),
                URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20"),
                percent(bytes),
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes),
                wrapped,
                secret.replaceAll("(.)", "$1 ")));
        for (var around : List.of("", "a", "ab")) {
            leaks.add(Base64.getEncoder().encodeToString(utf8(around + secret + "yz")));
            leaks.add(Base64.getUrlEncoder().encodeToString(utf8(around + secret + "yz")));
        }
        return leaks;
    }

    /// What must not be found, without blanks: of base64 the characters that the secret alone decides.
    static Set<String> traces(String secret) {
        var traces = new LinkedHashSet<String>();
        for (var leak : of(secret)) {
            traces.add(leak);
            traces.add(quoted(leak));
        }
        for (int lead = 0; lead < 3; lead++) {
            byte[] bytes = utf8("-".repeat(lead) + secret);
            int from = (lead * 8 + 5) / 6;
            int to = bytes.length * 8 / 6;
            traces.add(Base64.getEncoder().encodeToString(bytes).substring(from, to));
            traces.add(Base64.getUrlEncoder().encodeToString(bytes).substring(from, to));
        }
        var bare = new LinkedHashSet<String>();
        traces.forEach(trace -> bare.add(trace.replaceAll("\\s", "")));
        return bare;
    }
}
