package dev.postern.secret;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.secret.Redactor.Redacted;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Redacts JSON trees (SEC-5): string values, names of object members, and numbers in whose digits a secret
/// stands, which become strings. After it neither any part of the tree nor its serialised form, compact or
/// indented, holds a secret. The tree given is left as it is. Immutable and safe for use by many threads.
///
/// A secret may also lie across parts, such as one that is itself a JSON document and comes back parsed, or a
/// list of digits. So the serialised form is searched as well, and the smallest object or array in which a secret
/// still shows becomes a mark as a whole: data is lost rather than a secret told.
///
/// Members whose names are the same after redaction are told apart by `#2`, `#3`…; none is dropped.
public final class JsonRedactor {
    /// Beyond this many digits before or after the point a number is searched only as it is written: writing it
    /// out would let a short `1e999999999` fill the memory.
    private static final int MOST_PLAIN_DIGITS = 1_000;

    /// Rounds after the first for what a mark and its new neighbours spell; what is left then becomes one mark.
    private static final int MORE_ROUNDS = 4;

    private final Redactor redactor;

    /// A tree without the secrets.
    ///
    /// @param count how many were replaced
    public record RedactedJson(JsonNode node, int count) {}

    public JsonRedactor(Redactor redactor) {
        this.redactor = redactor;
    }

    /// For trees as deep as the wire lets through (WIR-3).
    public RedactedJson redact(JsonNode node) {
        var parts = new Parts();
        var redacted = parts.redact(node);
        int count = parts.count;
        for (int round = 0; round <= MORE_ROUNDS; round++) {
            var form = new SerialForm(redacted);
            var places = redactor.places(form.text());
            if (places.isEmpty()) {
                break;
            }
            count += places.size();
            redacted = round < MORE_ROUNDS
                    ? form.without(places)
                    : TextNode.valueOf(places.getFirst().mark());
        }
        return new RedactedJson(redacted, count);
    }

    private final class Parts {
        private int count;

        private JsonNode redact(JsonNode node) {
            return switch (node.getNodeType()) {
                case OBJECT -> object(node);
                case ARRAY -> {
                    var array = JsonNodeFactory.instance.arrayNode(node.size());
                    for (var element : node) {
                        array.add(redact(element));
                    }
                    yield array;
                }
                case NUMBER -> number(node);
                case STRING, BINARY, POJO -> TextNode.valueOf(text(node.asText()));
                case BOOLEAN, NULL, MISSING -> node;
            };
        }

        private ObjectNode object(JsonNode node) {
            var taken = new HashSet<String>();
            for (var name : (Iterable<String>) node::fieldNames) {
                if (redactor.redact(name).count() == 0) {
                    taken.add(name);
                }
            }
            var numbers = new HashMap<String, Integer>();
            var object = JsonNodeFactory.instance.objectNode();
            for (var member : node.properties()) {
                var name = redactor.redact(member.getKey());
                count += name.count();
                var untaken = name.count() == 0 ? name.text() : untaken(name.text(), taken, numbers);
                object.set(untaken, redact(member.getValue()));
            }
            return object;
        }

        /// @param numbers the last number given to each name, so that ten thousand equal names take no longer
        private static String untaken(String name, Set<String> taken, Map<String, Integer> numbers) {
            var candidate = name;
            while (!taken.add(candidate)) {
                candidate = name + "#" + numbers.merge(name, 2, (last, start) -> last + 1);
            }
            return candidate;
        }

        private JsonNode number(JsonNode node) {
            if (redactor.longestNumber() == 0) {
                return node;
            }
            var written = redactor.redact(node.asText());
            if (written.count() == 0 && !node.isIntegralNumber()) {
                written = plain(node);
            }
            if (written.count() == 0) {
                return node;
            }
            count += written.count();
            return TextNode.valueOf(written.text());
        }

        private Redacted plain(JsonNode node) {
            if (node.isDouble() && !Double.isFinite(node.doubleValue())) {
                return new Redacted("", 0);
            }
            BigDecimal value = node.decimalValue();
            if (Math.abs((long) value.scale()) > MOST_PLAIN_DIGITS) {
                return new Redacted("", 0);
            }
            return redactor.redact(withFewerZeros(value).toPlainString()).count() == 0
                    ? new Redacted("", 0)
                    : redactor.redact(value.toPlainString());
        }

        /// A number that holds a secret exactly when `value` does: of more zeros in a row than any secret is
        /// long, the rest changes nothing.
        private BigDecimal withFewerZeros(BigDecimal value) {
            int most = redactor.longestNumber() + 1;
            if (value.scale() < -most) {
                return new BigDecimal(value.unscaledValue(), -most);
            }
            int leading = value.scale() - value.precision();
            return leading > most ? new BigDecimal(value.unscaledValue(), value.precision() + most) : value;
        }

        private String text(String text) {
            var redacted = redactor.redact(text);
            count += redacted.count();
            return redacted.text();
        }
    }
}
