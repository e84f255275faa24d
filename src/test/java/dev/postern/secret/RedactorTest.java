package dev.postern.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.postern.secret.Redactor.Redacted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SEC-5")
class RedactorTest {
    private static final String TOKEN = "tok-4f9Q/x+\"Zé\\&7";

    @Test
    void leavesTextWithoutSecretsAlone() {
        var text = "nothing & 100% \\o/ here";

        assertThat(redactor("T", TOKEN).redact(text)).isEqualTo(new Redacted(text, 0));
    }

    @Test
    void replacesEveryOccurrenceByTheNameOfItsReference() {
        assertThat(redactor("GITHUB_TOKEN", TOKEN).redact("a " + TOKEN + ", b " + TOKEN + TOKEN))
                .isEqualTo(
                        new Redacted("a [redacted:GITHUB_TOKEN], b [redacted:GITHUB_TOKEN][redacted:GITHUB_TOKEN]", 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tok-4f9Q/x+\\\"Zé\\\\&7",
                "tok-4f9Q\\/x+\\\"Z\\u00E9\\\\&7",
                "tok-4f9Q\\u002fx\\u002B\\u0022Z\\u00e9\\u005C\\u00267",
                "\\u0074\\u006f\\u006B\\u002D4f9Q/x+\\x22Z\\xc3\\xa9\\\\&7",
                "tok-4f9Q%2Fx%2B%22Z%C3%A9%5C%267",
                "tok-4f9Q%2fx%2b%22Z%c3%a9%5c%267",
                "%74%6F%6B%2D%34%66%39%51%2F%78%2B%22%5A%C3%A9%5C%26%37",
                "tok-4f9Q/x+&quot;Z&eacute;\\&amp;7",
                "tok-4f9Q&#x2F;x&#43;&#34;Z&#233;&#92;&#38;7",
                "tok-4f9Q\n/x+\r\n\"Zé\\\t&7",
                "t o k - 4 f 9 Q / x + \" Z é \\ & 7"
            })
    void findsUsualSpellings(String spelling) {
        assertThat(redactor("T", TOKEN).redact("<" + spelling + ">")).isEqualTo(new Redacted("<[redacted:T]>", 1));
    }

    @Test
    void leavesNothingOfAWholeBase64Encoding() {
        for (var encoder : List.of(
                Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getEncoder().withoutPadding())) {
            var encoded = encoder.encodeToString(TOKEN.getBytes(StandardCharsets.UTF_8));

            assertThat(redactor("T", TOKEN).redact("<" + encoded + ">")).isEqualTo(new Redacted("<[redacted:T]>", 1));
        }
    }

    @Test
    void findsHexInGroups() {
        assertThat(redactor("T", "12345678").redact("3132 3334 3536 3738")).isEqualTo(new Redacted("[redacted:T]", 1));
    }

    @Test
    void mergesOverlapsUnderTheNameOfTheLongest() {
        var redactor = new Redactor(List.of(
                new SecretValue("SHORT", "abcdefgh"),
                new SecretValue("LONG", "abcdefghijkl"),
                new SecretValue("TAIL", "ijklmnop")));

        assertThat(redactor.redact("<abcdefghijklmnop>")).isEqualTo(new Redacted("<[redacted:LONG]>", 1));
    }

    @Test
    void mergesASecretThatOverlapsItself() {
        assertThat(redactor("T", "aaaaaaaa").redact("a".repeat(20))).isEqualTo(new Redacted("[redacted:T]", 1));
    }

    @Test
    void leavesShortAndBlankValuesAndNamesThem() {
        var redactor = new Redactor(List.of(
                new SecretValue("SHORT", "1234567"),
                new SecretValue("EMPTY", ""),
                new SecretValue("BLANK", " ".repeat(12)),
                new SecretValue("FOUR_KEYS", "\uD83D\uDD11".repeat(4)),
                new SecretValue("EIGHT", "12345678")));

        assertThat(redactor.unredactable()).containsExactly("SHORT", "EMPTY", "BLANK", "FOUR_KEYS");
        assertThat(redactor.redact("1234567 12345678").text()).isEqualTo("1234567 [redacted:EIGHT]");
    }

    @Test
    void doesNotTakeAMostlyBlankSecretForItsFewLetters() {
        var redactor = redactor("T", "a b c d e");

        assertThat(redactor.redact("abcde")).isEqualTo(new Redacted("abcde", 0));
        assertThat(redactor.redact("(a b c d e) a%20b%20c+d\\u0020e").text()).isEqualTo("([redacted:T]) [redacted:T]");
        assertThat(redactor.redact("a%20b%20c%20d%20e a+b+c+d+e").text()).isEqualTo("[redacted:T] [redacted:T]");
    }

    @Test
    void findsSecretsThatContainBlanksInForms() {
        assertThat(redactor("T", "correct horse battery")
                        .redact("p=correct+horse+battery&q=1")
                        .text())
                .isEqualTo("p=[redacted:T]&q=1");
    }

    @Test
    void findsASecretThatLooksEscapedItself() {
        var redactor = redactor("T", "ab%41\\u0042&amp;cd");

        assertThat(redactor.redact("ab%41\\u0042&amp;cd").text()).isEqualTo("[redacted:T]");
        assertThat(redactor.redact("ab%2541%5Cu0042%26amp%3Bcd").text()).isEqualTo("[redacted:T]");
        assertThat(redactor.redact("ab%41\\\\u0042&amp;cd").text()).isEqualTo("[redacted:T]");
        assertThat(redactor.redact("ab%41\\u0042&amp;amp;cd").text()).isEqualTo("[redacted:T]");
    }

    @Test
    void keepsSurrogatePairsWhole() {
        var redactor = redactor("T", "\uDD11abcdefgh");

        assertThat(redactor.redact("x\uD83D\uDD11abcdefgh").text()).isEqualTo("x[redacted:T]");
        assertThat(redactor("K", "\uD83D\uDD11secret\uD83D\uDE00")
                        .redact("\uD83D\uD83D\uDD11secret\uD83D\uDE00\uDE00")
                        .text())
                .isEqualTo("\uD83D[redacted:K]\uDE00");
        assertThat(redactor("K", "\uD83D\uDD11secret-")
                        .redact("\\ud83d\\uDD11secret\\u002d")
                        .text())
                .isEqualTo("[redacted:K]");
    }

    @Test
    void neverPrintsASecretByItsOwnMark() {
        assertThat(redactor("GITHUB_TOKEN", "GITHUB_TOKEN")
                        .redact("GITHUB_TOKEN")
                        .text())
                .isEqualTo("[redacted]");
        assertThat(redactor("A", "redacted").redact("was redacted").text()).isEqualTo("was [-]");
    }

    @Test
    void leavesNoSecretInTheSeamOfAMark() {
        var redactor = new Redactor(List.of(new SecretValue("A", "12345678"), new SecretValue("B", "A]abcdef")));

        assertThat(redactor.redact("12345678abcdef").text()).doesNotContain("A]abcdef");
    }

    @Test
    void keepsNothingOfATextInWhichEveryMarkSpellsTheSecretAnew() {
        var redactor = redactor("T", "a[redacted:T]b");

        for (int times : new int[] {5, 40, 4_000}) {
            var text = "a".repeat(times) + "[redacted:T]" + "b".repeat(times);

            assertThat(redactor.redact("<" + text + ">").text()).as("%d", times).isEqualTo("[redacted:T]");
        }
    }

    @Test
    void makesNamesVisibleInMarks() {
        assertThat(redactor("A\u001b[31m", "12345678").redact("12345678").text())
                .isEqualTo("[redacted:A\\u{1B}[31m]");
    }

    @Test
    void findsLinesAndBodyOfAPrivateKey() {
        var lines = List.of(
                "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
                "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu",
                "NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s");
        var pem = "-----BEGIN PRIVATE KEY-----\n" + String.join("\n", lines) + "\n-----END PRIVATE KEY-----\n";
        var redactor = redactor("KEY", pem);

        assertThat(redactor.redact("(" + pem + ")").text()).isEqualTo("([redacted:KEY]\n)");
        assertThat(redactor.redact("body " + String.join("", lines)).text()).isEqualTo("body [redacted:KEY]");
        assertThat(redactor.redact("line " + lines.get(1)).text()).isEqualTo("line [redacted:KEY]");
        assertThat(redactor.redact("-----BEGIN PRIVATE KEY-----").count()).isZero();
        assertThat(redactor("KEY", pem.replace("\n", "\\n"))
                        .redact(lines.get(0))
                        .count())
                .isEqualTo(1);
    }

    @Test
    void findsLongStringsOfAJsonSecretButNotItsWords() {
        var json = """
                {"type": "service_account", "id": 12, "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQ\\n-----END PRIVATE KEY-----\\n",
                 "nested": {"password": "hunter2hunter2", "list": ["a-rather-long-string"]}}""";
        var redactor = redactor("ACCOUNT", json);

        assertThat(redactor.redact("MIIEvQIBADANBgkqhkiG9w0BAQ hunter2hunter2 a-rather-long-string service_account {}")
                        .text())
                .isEqualTo("[redacted:ACCOUNT] [redacted:ACCOUNT] [redacted:ACCOUNT] service_account {}");
        assertThat(redactor.redact(json).text()).isEqualTo("[redacted:ACCOUNT]");
    }

    @Test
    void findsPartsOfSettingsUrlsAndHeaders() {
        assertThat(redactor("ENV", "NAME=value\nAPI_KEY='abc123def456'\n")
                        .redact("abc123def456 value")
                        .text())
                .isEqualTo("[redacted:ENV] value");
        assertThat(redactor("URL", "postgres://user:p%40ssw0rd!@host/db")
                        .redact("p%40ssw0rd! p@ssw0rd! host")
                        .text())
                .isEqualTo("[redacted:URL] [redacted:URL] host");
        assertThat(redactor("DB", "Server=host;EndpointSuffix=core.windows.net;Password=abc/123+456;")
                        .redact("core.windows.net abc/123+456")
                        .text())
                .isEqualTo("core.windows.net [redacted:DB]");
        assertThat(redactor("HEADER", "Bearer abcdef123456")
                        .redact("got abcdef123456")
                        .text())
                .isEqualTo("got [redacted:HEADER]");
        assertThat(redactor("QUOTED", "\"abcdef123456\"\n")
                        .redact("got abcdef123456")
                        .text())
                .isEqualTo("got [redacted:QUOTED]");
    }

    @Test
    void survivesUnfinishedEscapesAtTheEnd() {
        var redactor = redactor("T", "12345678");
        for (var tail : List.of(
                "\\", "\\u", "\\u12", "\\x", "\\u{", "\\u{1", "\\U0000", "%", "%4", "%u12", "&", "&#", "&#x", "&amp")) {
            assertThat(redactor.redact("12345678" + tail)).isEqualTo(new Redacted("[redacted:T]" + tail, 1));
        }
        for (var odd : List.of(
                "%FF%C3", "%F8%80", "\\xE2\\x82", "&#x110000;", "&#99999999;", "&;", "\\u{110000}", "\\UFFFFFFFF")) {
            assertThat(redactor.redact(odd + "12345678")).isEqualTo(new Redacted(odd + "[redacted:T]", 1));
        }
    }

    @Test
    void takesTimeProportionalToTheText() {
        var periodic = redactor("T", "a".repeat(4_096));
        var hostile = "\\u0061%61a ".repeat(60_000);
        var percent = "%".repeat(1_000_000);
        var ampersands = "&a".repeat(500_000);

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            assertThat(periodic.redact("a".repeat(1_000_000))).isEqualTo(new Redacted("[redacted:T]", 1));
            assertThat(periodic.redact(hostile).count()).isPositive();
            assertThat(periodic.redact(percent).count()).isZero();
            assertThat(periodic.redact(ampersands).count()).isZero();
        });
    }

    @Test
    @Timeout(30)
    void takesManyLargeSecrets() {
        var secrets = new ArrayList<SecretValue>();
        for (int i = 0; i < 64; i++) {
            secrets.add(new SecretValue("S" + i, ("line " + i + " of a long document\n").repeat(100)));
        }

        assertThat(new Redactor(secrets).redact("x".repeat(1 << 20)).count()).isZero();
    }

    @Test
    @Tag("PRC-6")
    void replacesTheRestOfASecretAtTheStartOfATail() {
        var redactor = redactor("T", "hunter2/hunter3");

        assertThat(redactor.redactTail("ter2/hunter3\nnext").text()).isEqualTo("[redacted:T]\nnext");
        assertThat(redactor.redactTail("r3 and more").text()).isEqualTo("r3 and more");
        assertThat(redactor.redactTail("002fhunter3.").text()).isEqualTo("[redacted:T].");
        assertThat(redactor.redactTail("002Fh\\u0075nter3.").text()).isEqualTo("[redacted:T].");
        assertThat(redactor.redactTail("Fhunter3%21").text()).isEqualTo("[redacted:T]%21");
        assertThat(redactor.redactTail("ordinary hunter2/hunter3").text()).isEqualTo("ordinary [redacted:T]");
        assertThat(redactor.redactTail("").count()).isZero();
        assertThat(redactor.redact("ter2/hunter3").count()).isZero();
    }

    private static Redactor redactor(String name, String value) {
        return new Redactor(List.of(new SecretValue(name, value)));
    }
}
