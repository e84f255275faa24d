package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;

/// One text for all ways to write the same JSON value: RFC 8785 (JCS), without its loss of precision (CAT-6).
///
/// Members are ordered by the UTF-16 code units of their names; strings escape only what they must. A number is
/// written as ECMAScript writes the nearest IEEE double, if that text denotes the very same value: `1.0` is
/// `1`, `0.10` is `0.1`, `1E3` is `1000`. Any other number is no exact double in this sense, and is written as
/// its full decimal text: plain digits, no exponent, no leading or trailing zeros, `-` if negative; so
/// `9007199254740993` stays itself, and `1e400` is a one with 400 zeros. (With an exponent beyond ±1,000, which
/// the wire refuses, it is all its significant digits, `e`, and the exponent.) Two texts are equal exactly when
/// the values are. A surrogate without its partner, which the wire refuses, is written as its escape.
public final class CanonicalJson {
    private static final int PLAIN_EXPONENT = 1_000;

    private CanonicalJson() {}

    public static String text(JsonNode node) {
        var out = new StringBuilder();
        write(node, out);
        return out.toString();
    }

    private static void write(JsonNode node, StringBuilder out) {
        if (node.isObject()) {
            writeObject(node, out);
        } else if (node.isArray()) {
            char before = '[';
            for (JsonNode element : node) {
                write(element, out.append(before));
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (node.isTextual()) {
            CompactJson.quote(node.textValue(), out);
        } else if (node.isIntegralNumber() && node.canConvertToLong()) {
            // Below 10^21 every form of an integer is its plain digits.
            out.append(node.longValue());
        } else if (node.isDouble() || node.isFloat()) {
            out.append(number(node.doubleValue()));
        } else if (node.isNumber()) {
            out.append(number(node.decimalValue()));
        } else {
            out.append(node.asText());
        }
    }

    private static void writeObject(JsonNode node, StringBuilder out) {
        var names = new ArrayList<String>(node.size());
        for (var member : node.properties()) {
            names.add(member.getKey());
        }
        names.sort(null);
        char before = '{';
        for (String name : names) {
            CompactJson.quote(name, out.append(before));
            write(node.get(name), out.append(':'));
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a JSON number is finite");
        }
        return value == 0 ? "0" : ecmaScript(shortest(value));
    }

    static String number(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        double nearest = value.doubleValue();
        if (nearest != 0 && !Double.isInfinite(nearest)) {
            BigDecimal shortest = shortest(nearest);
            if (shortest.compareTo(value) == 0) {
                return ecmaScript(shortest);
            }
        }
        BigDecimal stripped = value.stripTrailingZeros();
        long exponent = (long) stripped.precision() - stripped.scale();
        return Math.abs(exponent) <= PLAIN_EXPONENT
                ? stripped.toPlainString()
                : stripped.unscaledValue() + "e" + -(long) stripped.scale();
    }

    /// The decimal with the fewest digits that rounds to `value`, and of those the closest. Java's own choice
    /// has two digits at least, so that one digit is tried besides (`5e-324` is `4.9E-324` to it).
    private static BigDecimal shortest(double value) {
        BigDecimal text = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (text.precision() == 2) {
            BigDecimal one = text.round(new MathContext(1, RoundingMode.HALF_EVEN));
            if (one.doubleValue() == value) {
                return one.stripTrailingZeros();
            }
        }
        return text;
    }

    /// ECMA-262 `Number::toString` for radix 10, given the digits.
    private static String ecmaScript(BigDecimal shortest) {
        String digits = shortest.unscaledValue().abs().toString();
        int k = digits.length();
        int n = k - shortest.scale();
        var out = new StringBuilder();
        if (shortest.signum() < 0) {
            out.append('-');
        }
        if (k <= n && n <= 21) {
            out.append(digits).repeat('0', n - k);
        } else if (0 < n && n <= 21) {
            out.append(digits, 0, n).append('.').append(digits, n, k);
        } else if (-6 < n && n <= 0) {
            out.append("0.").repeat('0', -n).append(digits);
        } else {
            out.append(digits.charAt(0));
            if (k > 1) {
                out.append('.').append(digits, 1, k);
            }
            out.append('e').append(n > 0 ? '+' : '-').append(Math.abs(n - 1));
        }
        return out.toString();
    }
}
