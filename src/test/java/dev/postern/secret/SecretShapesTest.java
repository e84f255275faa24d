package dev.postern.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The samples are made up and put together here, so that nothing in this file looks like a secret to a scanner.
@Tag("SRV-5")
class SecretShapesTest {
    private static final String RANDOM = "k3Jd8Qm2Xv7Rb5Tz9Wn4Lc6Hf1Gp0SyEaUoIiKqMrVt2B5x8Z";
    private static final String UPPER = "Q3JD8QM2XV7RB5TZ9WN4LC6HF";
    private static final String HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

    @ParameterizedTest
    @CsvSource({
        "ghp_, 36, GitHub token",
        "gho_, 36, GitHub token",
        "ghs_, 36, GitHub token",
        "github_pat_, 40, GitHub fine-grained token",
        "glpat-, 20, GitLab token",
        "xoxb-, 30, Slack token",
        "xapp-, 30, Slack token",
        "sk-proj-, 40, OpenAI key",
        "sk-, 48, OpenAI key",
        "sk-ant-api03-, 40, Anthropic key",
        "AIza, 35, Google API key",
        "GOCSPX-, 28, Google OAuth secret",
        "sk_live_, 24, Stripe key",
        "rk_test_, 24, Stripe key",
        "npm_, 36, npm token",
        "hf_, 34, Hugging Face token"
    })
    void recognisesPrefixedTokensWhereverTheyStand(String prefix, int length, String kind) {
        var token = prefix + RANDOM.substring(0, length);

        assertThat(SecretShapes.kind(token)).isEqualTo(kind);
        assertThat(SecretShapes.kind("--token=" + token)).isEqualTo(kind);
        assertThat(SecretShapes.kind("https://host/?key=" + token + "&x=1")).isEqualTo(kind);
        assertThat(SecretShapes.kind("Bearer " + token)).isEqualTo(kind);
        assertThat(SecretShapes.kind("\"" + token + "\"")).isEqualTo(kind);
    }

    @Test
    void recognisesAwsAccessKeys() {
        assertThat(SecretShapes.kind("AKIA" + UPPER.substring(0, 16))).isEqualTo("AWS access key");
        assertThat(SecretShapes.kind("x ASIA" + UPPER.substring(0, 16) + ".")).isEqualTo("AWS access key");
        assertThat(SecretShapes.kind("AKIA" + UPPER.substring(0, 17))).isNull();
    }

    @Test
    void recognisesJsonWebTokens() {
        var head = "eyJ" + RANDOM.substring(0, 30);
        var body = "eyJ" + RANDOM.substring(5, 40);

        assertThat(SecretShapes.kind("t=" + head + "." + body + "." + RANDOM)).isEqualTo("JSON Web Token");
        assertThat(SecretShapes.kind(head + ".." + RANDOM + "." + RANDOM + "." + RANDOM))
                .isEqualTo("JSON Web Token");
        assertThat(SecretShapes.kind(head)).isNull();
        assertThat(SecretShapes.kind(head + "." + body)).isNull();
    }

    @Test
    void recognisesPrivateKeysButNotPublicOnes() {
        for (var type : new String[] {"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "}) {
            assertThat(SecretShapes.kind("-----BEGIN " + type + "PRIVATE" + " KEY-----\nMII"))
                    .isEqualTo("private key");
        }
        assertThat(SecretShapes.kind("-----BEGIN PGP PRIVATE" + " KEY BLOCK-----"))
                .isEqualTo("private key");
        assertThat(SecretShapes.kind("-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----"))
                .isNull();
        assertThat(SecretShapes.kind("-----BEGIN CERTIFICATE-----")).isNull();
    }

    @Test
    void recognisesAzureSecrets() {
        assertThat(SecretShapes.kind("AccountName=a;AccountKey=" + RANDOM + RANDOM.substring(0, 36) + "==;E=x"))
                .isEqualTo("Azure secret");
        assertThat(SecretShapes.kind("https://a.blob.core.windows.net/c?sv=2&sig=" + RANDOM + "%3D"))
                .isEqualTo("Azure secret");
        assertThat(SecretShapes.kind("abC8Q~" + RANDOM.substring(0, 34))).isEqualTo("Azure secret");
    }

    @Test
    void recognisesOtherSecrets() {
        assertThat(SecretShapes.kind("123456789:AA" + RANDOM.substring(0, 33))).isEqualTo("Telegram bot token");
        assertThat(SecretShapes.kind("https://hooks.slack.com/services/T000/B000/abc"))
                .isEqualTo("Slack webhook");
        assertThat(SecretShapes.kind("dop_v1_" + HEX)).isEqualTo("DigitalOcean token");
    }

    @Test
    void recognisesPasswordsInUrls() {
        assertThat(SecretShapes.kind("postgres://user:hunter2@host/db")).isEqualTo("password in a URL");
        assertThat(SecretShapes.kind("postgres://user:$PASSWORD@host/db")).isNull();
        assertThat(SecretShapes.kind("postgres://user:<password>@host/db")).isNull();
        assertThat(SecretShapes.kind("postgres://user@host:5432/db")).isNull();
        assertThat(SecretShapes.kind("https://host:8080/a:b@c")).isNull();
        assertThat(SecretShapes.kind("https://user:@host/")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-y",
                "@modelcontextprotocol/server-filesystem@2026.8.31",
                "/usr/lib/node_modules/npm_config_cache/very/long/path/with-many-words-in-it-and-numbers-12345",
                "550e8400-e29b-41d4-a716-446655440000",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "sk-learn-something-with-a-very-long-name-and-many-words",
                "task-sk-eleton-framework",
                "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "ghp_YOUR_TOKEN_HERE",
                "glpat-your-token-goes-in-this-place",
                "sk-ant-your-key-goes-in-this-place-please",
                "AKIAAAAAAAAAAAAAAAAA",
                "${GITHUB_TOKEN}",
                "npm_lifecycle_event",
                "git@github.com:owner/repository.git",
                "https://packages.example/@scope%2fname/-/name-1.2.3.tgz",
                "eyJust a word. another. word",
                "SGVsbG8gd29ybGQsIHRoaXMgaXMgb25seSBiYXNlNjQ=",
                "--header=Authorization: Bearer",
                "sha512-k3Jd8Qm2Xv7Rb5Tz9Wn4Lc6Hf1Gp0SyEaUoIiKqMrVt2B5x8Z"
            })
    void leavesOrdinaryTextAlone(String text) {
        assertThat(SecretShapes.kind(text)).isNull();
    }

    @Test
    void settlesQuicklyOnHostileText() {
        assertThat(SecretShapes.kind("eyJ".repeat(20_000))).isNull();
        assertThat(SecretShapes.kind("://:".repeat(20_000))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"xoxb-", "eyJ-", "a8Q~", "glpat-", "sk-ant-", "-----BEGIN "})
    @Timeout(20)
    void isNotHeldUpByAPrefixThatRepeatsItself(String prefix) {
        assertThat(SecretShapes.kind(prefix.repeat(200_000))).isNull();
    }
}
