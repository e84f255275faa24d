package dev.postern.secret;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("SEC-5")
@Tag("K32")
class JsonRedactorTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final JsonRedactor redactor = new JsonRedactor(
            new Redactor(List.of(new SecretValue("T", "s3cr3t-token"), new SecretValue("PIN", "12345678"))));

    @Test
    void redactsStringsAtAnyDepth() throws JsonProcessingException {
        assertRedacted("[{'a':['x s3cr3t-token y']}]", "[{'a':['x [redacted:T] y']}]", 1);
    }

    @Test
    void redactsNamesOfMembers() throws JsonProcessingException {
        assertRedacted("{'s3cr3t-token':1}", "{'[redacted:T]':1}", 1);
    }

    @Test
    void keepsMembersWhoseNamesCollide() throws JsonProcessingException {
        assertRedacted(
                "{'s3cr3t-token':1,'s3cr3t- token':2,'[redacted:T]':3,'[redacted:T]#2':4}",
                "{'[redacted:T]#3':1,'[redacted:T]#4':2,'[redacted:T]':3,'[redacted:T]#2':4}",
                2);
    }

    @Test
    void redactsNumbersThatHoldASecret() throws JsonProcessingException {
        assertRedacted(
                "[12345678,-12345678,9123456780,1234567]",
                "['[redacted:PIN]','-[redacted:PIN]','9[redacted:PIN]0',1234567]",
                3);
        assertRedacted(
                "[12345678.5,1.2345678E7,0.12345678]", "['[redacted:PIN].5','[redacted:PIN]','0.[redacted:PIN]']", 3);
    }

    @Test
    void keepsNumbersExactly() throws JsonProcessingException {
        assertRedacted("[1e400,1e-400,0.10,123456789012345678901234567]".replace("12345678", "22345678"), null, 0);
        assertRedacted("[1e2000000000]", null, 0);
    }

    @Test
    void replacesTheSmallestPartInWhichASecretSpansSeveralStrings() throws JsonProcessingException {
        var spanning = new JsonRedactor(new Redactor(List.of(new SecretValue("PAIR", "{\"u\":\"me\",\"p\":\"x\"}"))));
        var redacted = spanning.redact(tree("{'keep':1,'login':{'u':'me','p':'x'}}"));

        assertThat(redacted.node()).isEqualTo(tree("{'keep':1,'login':'[redacted:PAIR]'}"));
        assertThat(redacted.count()).isEqualTo(1);
    }

    @Test
    void findsDigitsSpreadOverAList() throws JsonProcessingException {
        var spanning = new JsonRedactor(new Redactor(List.of(new SecretValue("SEQ", "12,34,56,78"))));

        assertThat(spanning.redact(tree("{'a':[12,34,56,78],'b':[1]}")).node())
                .isEqualTo(tree("{'a':'[redacted:SEQ]','b':[1]}"));
    }

    @Test
    @Timeout(30)
    void takesManyCollidingNames() {
        var tree = JSON.createObjectNode();
        for (int i = 0; i < 20_000; i++) {
            tree.put("s3cr3t-token" + " ".repeat(i % 200) + "\n".repeat(i / 200), i);
        }
        var redacted = redactor.redact(tree);

        assertThat(redacted.node()).hasSize(tree.size());
    }

    @Test
    void leavesNoSecretInTheSerialisedFormOfAnyTree() throws JsonProcessingException {
        var random = new Random(5);
        var plants = List.of(
                "s3cr3t-token",
                "s3cr3t%2Dtoken",
                "czNjcjN0LXRva2Vu",
                "7333637233742D746F6B656E",
                "s3cr3t\n-token",
                "\\u00733cr3t-token",
                "12345678",
                "1234",
                "5678",
                "]",
                "\"",
                "plain");
        for (int round = 0; round < 300; round++) {
            var redacted = redactor.redact(randomTree(random, plants, 4)).node();
            for (var text : List.of(redacted.toString(), redacted.toPrettyString())) {
                assertThat(text.replaceAll("[\\s\"]", ""))
                        .as(text)
                        .doesNotContain("s3cr3t-token", "12345678", "czNjcjN0LXRva2Vu", "7333637233742D746F6B656E");
            }
            assertThat(redactor.redact(redacted).count()).isZero();
        }
    }

    private static JsonNode randomTree(Random random, List<String> plants, int depth) {
        int kind = depth == 0 ? 2 + random.nextInt(2) : random.nextInt(4);
        return switch (kind) {
            case 0 -> {
                var object = JSON.createObjectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(plants.get(random.nextInt(plants.size())), randomTree(random, plants, depth - 1));
                }
                yield object;
            }
            case 1 -> {
                var array = JSON.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(randomTree(random, plants, depth - 1));
                }
                yield array;
            }
            case 2 -> JSON.getNodeFactory().textNode(plants.get(random.nextInt(plants.size())));
            default -> JSON.getNodeFactory().numberNode(random.nextBoolean() ? 12_345_678 : random.nextInt());
        };
    }

    @Test
    void findsASecretInANumberWhateverItsExponent() {
        for (var secret : List.of("12345678", "1234567800", "0.0001234567", "000000001234", "-12345678.5")) {
            var numeric = new JsonRedactor(new Redactor(List.of(new SecretValue("N", secret))));
            for (int exponent = -60; exponent <= 60; exponent++) {
                for (var digits : List.of("12345678", "-123456785", "1234567", "99")) {
                    var number = new BigDecimal(digits + "e" + exponent);
                    boolean holds = number.toPlainString().contains(secret)
                            || number.toString().contains(secret);

                    var redacted = numeric.redact(JSON.getNodeFactory().numberNode(number));

                    assertThat(redacted.count() > 0)
                            .as(secret + " in " + number)
                            .isEqualTo(holds);
                    assertThat(redacted.node().isNumber()).isEqualTo(!holds);
                }
            }
        }
    }

    @Test
    @Timeout(30)
    void takesALargeTextUnderManyArraysWithASecretAcrossParts() throws JsonProcessingException {
        var spanning = new JsonRedactor(new Redactor(List.of(new SecretValue("SEQ", "12,34,56,78"))));
        JsonNode tree = JSON.createArrayNode().add("x".repeat(4 << 20)).add(tree("[12,34,56,78]"));
        for (int depth = 0; depth < 60; depth++) {
            tree = JSON.createObjectNode().set("a", JSON.createArrayNode().add(tree));
        }

        var redacted = spanning.redact(tree);

        assertThat(redacted.count()).isEqualTo(1);
        assertThat(redacted.node().toString()).endsWith("x\",\"[redacted:SEQ]\"]" + "]}".repeat(60));
    }

    @Test
    void leavesTheTreeItWasGivenAlone() throws JsonProcessingException {
        var tree = tree("{'a':'s3cr3t-token'}");
        redactor.redact(tree);

        assertThat(tree).isEqualTo(tree("{'a':'s3cr3t-token'}"));
    }

    @Test
    void keepsTruthValuesAndNulls() throws JsonProcessingException {
        assertRedacted("{'a':true,'b':null,'c':[],'d':{},'e':''}", null, 0);
    }

    private void assertRedacted(String from, @Nullable String to, int count) throws JsonProcessingException {
        var redacted = redactor.redact(tree(from));
        assertThat(redacted.node()).isEqualTo(tree(to == null ? from : to));
        assertThat(redacted.count()).isEqualTo(count);
        assertThat(redacted.node().toString()).doesNotContain("s3cr3t-token", "12345678");
    }

    private static JsonNode tree(String text) throws JsonProcessingException {
        return JSON.readTree(text.replace('\'', '"'));
    }
}
