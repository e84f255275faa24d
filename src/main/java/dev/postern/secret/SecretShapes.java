package dev.postern.secret;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Recognises texts that look like a secret of a known kind, so that a configuration that holds one can be warned
/// about (SRV-5). Knows forms, not values: it says the kind and never repeats the text. Ordinary words, paths,
/// UUIDs, digests and placeholders (`ghp_xxxx…`) are not taken for secrets. What has no form of its own, such as
/// a plain password, is not recognised.
public final class SecretShapes {
    /// A placeholder repeats itself; a real token of these lengths has more different characters than this.
    private static final int FEWEST_DIFFERENT = 6;

    /// A token that starts with `prefix`, at the beginning of a word.
    ///
    /// @param least the fewest characters after the prefix
    /// @param most the most characters after the prefix
    private record Form(String kind, String prefix, Alphabet alphabet, int least, int most) {}

    private enum Alphabet {
        ALPHANUMERIC,
        WORD,
        URL,
        DOTTED,
        UPPER,
        HEX;

        boolean holds(char c) {
            boolean digit = c >= '0' && c <= '9';
            boolean upper = c >= 'A' && c <= 'Z';
            boolean lower = c >= 'a' && c <= 'z';
            return switch (this) {
                case ALPHANUMERIC -> digit || upper || lower;
                case WORD -> digit || upper || lower || c == '_';
                case URL -> digit || upper || lower || c == '_' || c == '-';
                case DOTTED -> digit || upper || lower || c == '_' || c == '-' || c == '.';
                case UPPER -> digit || upper;
                case HEX -> digit || (c >= 'a' && c <= 'f');
            };
        }
    }

    private static final int ANY = 4_096;

    private static final Form[] FORMS = {
        new Form("GitHub token", "ghp_", Alphabet.ALPHANUMERIC, 36, 255),
        new Form("GitHub token", "gho_", Alphabet.ALPHANUMERIC, 36, 255),
        new Form("GitHub token", "ghu_", Alphabet.ALPHANUMERIC, 36, 255),
        new Form("GitHub token", "ghs_", Alphabet.ALPHANUMERIC, 36, 255),
        new Form("GitHub token", "ghr_", Alphabet.ALPHANUMERIC, 36, 255),
        new Form("GitHub fine-grained token", "github_pat_", Alphabet.WORD, 36, 255),
        new Form("GitLab token", "glpat-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "gldt-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glrt-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glcbt-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glptt-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glft-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glsoat-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "gloas-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glimt-", Alphabet.DOTTED, 20, 300),
        new Form("GitLab token", "glagent-", Alphabet.DOTTED, 20, 300),
        new Form("Slack token", "xoxb-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxp-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxa-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxr-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxs-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxc-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxd-", Alphabet.URL, 20, 600),
        new Form("Slack token", "xoxe-", Alphabet.URL, 20, 300),
        new Form("Slack token", "xoxe.xox", Alphabet.URL, 20, 300),
        new Form("Slack token", "xapp-", Alphabet.URL, 20, 300),
        new Form("Anthropic key", "sk-ant-", Alphabet.URL, 20, 300),
        new Form("OpenAI key", "sk-proj-", Alphabet.URL, 20, 400),
        new Form("OpenAI key", "sk-svcacct-", Alphabet.URL, 20, 400),
        new Form("OpenAI key", "sk-admin-", Alphabet.URL, 20, 400),
        new Form("OpenRouter key", "sk-or-v1-", Alphabet.HEX, 40, 128),
        new Form("OpenAI key", "sk-", Alphabet.ALPHANUMERIC, 32, 100),
        new Form("AWS access key", "AKIA", Alphabet.UPPER, 16, 16),
        new Form("AWS access key", "ASIA", Alphabet.UPPER, 16, 16),
        new Form("AWS access key", "ABIA", Alphabet.UPPER, 16, 16),
        new Form("AWS access key", "ACCA", Alphabet.UPPER, 16, 16),
        new Form("Google API key", "AIza", Alphabet.URL, 35, 35),
        new Form("Google OAuth secret", "GOCSPX-", Alphabet.URL, 20, 60),
        new Form("Google OAuth token", "ya29.", Alphabet.URL, 20, ANY),
        new Form("Stripe key", "sk_live_", Alphabet.ALPHANUMERIC, 16, 255),
        new Form("Stripe key", "sk_test_", Alphabet.ALPHANUMERIC, 16, 255),
        new Form("Stripe key", "rk_live_", Alphabet.ALPHANUMERIC, 16, 255),
        new Form("Stripe key", "rk_test_", Alphabet.ALPHANUMERIC, 16, 255),
        new Form("Stripe webhook secret", "whsec_", Alphabet.ALPHANUMERIC, 24, 255),
        new Form("npm token", "npm_", Alphabet.ALPHANUMERIC, 36, 36),
        new Form("PyPI token", "pypi-AgE", Alphabet.URL, 40, ANY),
        new Form("Hugging Face token", "hf_", Alphabet.ALPHANUMERIC, 30, 60),
        new Form("Docker token", "dckr_pat_", Alphabet.URL, 20, 60),
        new Form("DigitalOcean token", "dop_v1_", Alphabet.HEX, 64, 64),
        new Form("SendGrid key", "SG.", Alphabet.DOTTED, 60, 80),
        new Form("Shopify token", "shpat_", Alphabet.ALPHANUMERIC, 32, 64),
        new Form("Atlassian token", "ATATT3", Alphabet.URL, 60, 400),
        new Form("Vault token", "hvs.", Alphabet.URL, 20, 400),
        new Form("Databricks token", "dapi", Alphabet.HEX, 32, 32),
        new Form("Linear key", "lin_api_", Alphabet.ALPHANUMERIC, 32, 64),
        new Form("Notion token", "ntn_", Alphabet.ALPHANUMERIC, 40, 60),
        new Form("Groq key", "gsk_", Alphabet.ALPHANUMERIC, 40, 80),
        new Form("xAI key", "xai-", Alphabet.ALPHANUMERIC, 60, 120),
        new Form("Perplexity key", "pplx-", Alphabet.ALPHANUMERIC, 40, 80),
        new Form("Grafana token", "glsa_", Alphabet.WORD, 32, 80),
        new Form("age key", "AGE-SECRET-KEY-1", Alphabet.UPPER, 50, 70),
    };

    private SecretShapes() {}

    /// The kind of secret that `text` looks like or holds, such as `GitHub token`, or null.
    public static @Nullable String kind(String text) {
        for (var form : FORMS) {
            if (holds(text, form)) {
                return form.kind();
            }
        }
        if (holdsPrivateKey(text)) {
            return "private key";
        }
        if (holdsJsonWebToken(text)) {
            return "JSON Web Token";
        }
        if (holdsAzureSecret(text)) {
            return "Azure secret";
        }
        if (holdsTelegramToken(text)) {
            return "Telegram bot token";
        }
        if (text.contains("hooks.slack.com/services/T")) {
            return "Slack webhook";
        }
        return holdsPasswordInUrl(text) ? "password in a URL" : null;
    }

    private static boolean holds(String text, Form form) {
        for (int at = text.indexOf(form.prefix()); at >= 0; at = text.indexOf(form.prefix(), at + 1)) {
            int start = at + form.prefix().length();
            int end = run(text, start, form.alphabet(), form.most() + 1);
            int length = end - start;
            if (length >= form.least()
                    && length <= form.most()
                    && startsWord(text, at)
                    && looksRandom(text.substring(start, end), form.alphabet() == Alphabet.UPPER)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWord(String text, int at) {
        return at == 0 || !Alphabet.WORD.holds(text.charAt(at - 1));
    }

    private static int run(String text, int start, Alphabet alphabet) {
        return run(text, start, alphabet, text.length());
    }

    /// Where the characters of `alphabet` that start at `start` end; after `most` of them nobody looks further, so
    /// that a text in which a prefix repeats itself takes no longer than its length deserves.
    private static int run(String text, int start, Alphabet alphabet, int most) {
        int stop = most < text.length() - start ? start + most : text.length();
        int end = start;
        while (end < stop && alphabet.holds(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /// Words joined by hyphens have no digits; a number has no letters; a placeholder has few different
    /// characters.
    private static boolean looksRandom(String body, boolean upperOnly) {
        boolean digits = false;
        boolean letters = false;
        var different = new BitSet();
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            digits |= Character.isDigit(c);
            letters |= Character.isLetter(c);
            different.set(c);
        }
        return letters && (digits || upperOnly) && different.cardinality() >= FEWEST_DIFFERENT;
    }

    private static boolean holdsPrivateKey(String text) {
        for (int at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
            int end = text.indexOf("-----", at + 11);
            if (end > 0 && text.substring(at, end).contains("PRIVATE KEY")) {
                return true;
            }
        }
        return text.contains("PuTTY-User-Key-File-");
    }

    /// Three or more parts of base64url with dots between; the first, and for a signed one the second, is a JSON
    /// object, which in base64 starts with `eyJ` (RFC 7519 section 3).
    private static boolean holdsJsonWebToken(String text) {
        int first = 0;
        for (int at = text.indexOf("eyJ"); at >= 0; at = text.indexOf("eyJ", at + 1)) {
            first = at < first ? first : run(text, at, Alphabet.URL);
            if (first - at >= 12 && startsWord(text, at) && first + 1 < text.length() && text.charAt(first) == '.') {
                int second = run(text, first + 1, Alphabet.URL);
                boolean more = second < text.length() && text.charAt(second) == '.';
                int third = more ? run(text, second + 1, Alphabet.URL) : second;
                boolean signed = text.startsWith("eyJ", first + 1) && third - second > 10;
                boolean encrypted = more && third < text.length() && text.charAt(third) == '.';
                if (signed || encrypted) {
                    return true;
                }
            }
        }
        return false;
    }

    /// A storage or service bus key in a connection string, a shared access signature, or an application secret
    /// (`…8Q~…`).
    private static boolean holdsAzureSecret(String text) {
        for (var key : new String[] {"AccountKey=", "SharedAccessKey=", "&sig=", "?sig="}) {
            int at = text.indexOf(key);
            if (at >= 0 && base64Run(text, at + key.length()) >= 40) {
                return true;
            }
        }
        for (int at = text.indexOf("Q~"); at >= 0; at = text.indexOf("Q~", at + 1)) {
            int start = at - 4;
            if (start >= 0
                    && Character.isDigit(text.charAt(at - 1))
                    && startsWord(text, start)
                    && run(text, start, Alphabet.DOTTED) == at + 1) {
                int length = tildeRun(text, at + 2, 35);
                if (length >= 31 && length <= 34) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int base64Run(String text, int start) {
        int end = start;
        while (end < text.length() && (Alphabet.URL.holds(text.charAt(end)) || "+/%=".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        return end - start;
    }

    private static int tildeRun(String text, int start, int most) {
        int stop = Math.min(text.length(), start + most);
        int end = start;
        while (end < stop && (Alphabet.DOTTED.holds(text.charAt(end)) || text.charAt(end) == '~')) {
            end++;
        }
        return end - start;
    }

    private static boolean holdsTelegramToken(String text) {
        for (int at = text.indexOf(":AA"); at >= 0; at = text.indexOf(":AA", at + 1)) {
            int digits = 0;
            while (at - digits > 0 && Character.isDigit(text.charAt(at - digits - 1))) {
                digits++;
            }
            if (digits >= 8 && digits <= 10 && run(text, at + 1, Alphabet.URL) - (at + 1) == 35) {
                return true;
            }
        }
        return false;
    }

    private static boolean holdsPasswordInUrl(String text) {
        for (int at = text.indexOf("://"); at > 0; at = text.indexOf("://", at + 3)) {
            int colon = -1;
            for (int i = at + 3; i < text.length() && "/?# \t\n\"'".indexOf(text.charAt(i)) < 0; i++) {
                char c = text.charAt(i);
                if (c == ':' && colon < 0) {
                    colon = i;
                } else if (c == '@' && colon >= 0 && i > colon + 1 && !isVariable(text, colon + 1, i)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// `$NAME`, `${NAME}`, `<password>`, `***`: somebody wrote a placeholder, not a password.
    private static boolean isVariable(String text, int from, int to) {
        char first = text.charAt(from);
        char last = text.charAt(to - 1);
        return first == '$' || (first == '<' && last == '>') || (first == '{' && last == '}') || first == '*';
    }
}
