package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;

/// JSON numbers as exact decimals, and the bounds within which arithmetic on them is instant (WIR-3).
final class Numbers {
    static final int MAX_DIGITS = 64;
    static final int MAX_EXPONENT = 400;

    /// Bits of the largest number of 64 digits.
    private static final int MAX_BITS = 213;

    private Numbers() {}

    /// Whether the number has at most 64 digits and an exponent within ±400. The text is gone when a tree is
    /// looked at: the exponent is taken as the power of ten of its last digit, up to 64 places finer than −400.
    static boolean bounded(JsonNode number) {
        return switch (number.numberType()) {
            case INT, LONG -> true;
            case FLOAT, DOUBLE -> Double.isFinite(number.doubleValue());
            case BIG_INTEGER -> boundedDigits(number.bigIntegerValue());
            case BIG_DECIMAL -> {
                BigDecimal value = number.decimalValue();
                yield value.scale() >= -MAX_EXPONENT
                        && value.scale() <= MAX_EXPONENT + MAX_DIGITS
                        && boundedDigits(value.unscaledValue());
            }
        };
    }

    private static boolean boundedDigits(BigInteger digits) {
        return digits.bitLength() <= MAX_BITS && new BigDecimal(digits).precision() <= MAX_DIGITS;
    }

    /// The number as the decimal it was written as.
    ///
    /// @throws IllegalArgumentException when it is not finite, which no JSON number is
    static BigDecimal exact(JsonNode number) {
        if (number.isFloatingPointNumber() && !number.isBigDecimal() && !Double.isFinite(number.doubleValue())) {
            throw new IllegalArgumentException("a JSON number is finite");
        }
        return number.decimalValue();
    }

    /// `1.0` and `1e3` are integers: the value counts, not how it is written.
    static boolean integral(JsonNode number) {
        if (number.isIntegralNumber()) {
            return true;
        }
        BigDecimal value = exact(number);
        return value.signum() == 0
                || value.scale() <= 0
                || value.stripTrailingZeros().scale() <= 0;
    }

    static int compare(JsonNode number, BigDecimal other) {
        return exact(number).compareTo(other);
    }

    static boolean same(JsonNode a, JsonNode b) {
        if (a.isInt() && b.isInt()) {
            return a.intValue() == b.intValue();
        }
        return exact(a).compareTo(exact(b)) == 0;
    }
}
