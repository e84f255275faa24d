package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keywords that look at one value as a whole (JSON Schema validation, sections 6.1 to 6.3).
final class ValueChecks {
    private ValueChecks() {}

    /// Cost of arithmetic on decimals, in steps.
    private static final int DECIMAL = 4;

    /// `type`, as the set of kinds it names.
    record Type(int mask) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            Kind kind = Kind.of(value);
            return kind.in(mask) || run.fail(at, "must be ", Kind.names(mask), ", not ", kind.text());
        }
    }

    /// `enum` and `const`.
    ///
    /// @param texts the members that are text
    /// @param others all other members
    /// @param prefix what a message says before it names members
    /// @param first the members that come first, one more than a message shows
    record Choice(Set<String> texts, List<JsonNode> others, String prefix, List<JsonNode> first) implements Check {
        static final int MOST_SHOWN = 12;

        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (value.isTextual() ? texts.contains(value.textValue()) : amongOthers(run, value)) {
                return true;
            }
            return !run.quiet() && run.fail(at, "must be ", shown(run.quoting()));
        }

        private String shown(Quoting quoting) {
            if (first.isEmpty()) {
                return "one of no values";
            }
            var out = new StringBuilder(prefix);
            for (int i = 0; i < first.size(); i++) {
                if (i == MOST_SHOWN) {
                    return out.append(", …").toString();
                }
                out.append(i == 0 ? "" : ", ").append(quoting.line(CompactJson.text(first.get(i)), 40));
            }
            return out.toString();
        }

        private boolean amongOthers(Evaluation run, JsonNode value) {
            for (JsonNode other : others) {
                if (SameJson.test(run, value, other)) {
                    return true;
                }
            }
            return false;
        }
    }

    /// `maximum`, `exclusiveMaximum`, `minimum`, `exclusiveMinimum`.
    record Bound(BigDecimal bound, Side side) implements Check {
        enum Side {
            AT_MOST("at most "),
            BELOW("below "),
            AT_LEAST("at least "),
            ABOVE("above ");

            private final String text;

            Side(String text) {
                this.text = text;
            }
        }

        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isNumber()) {
                return true;
            }
            run.spend(DECIMAL);
            int order = Numbers.compare(value, bound);
            boolean fits = switch (side) {
                case AT_MOST -> order <= 0;
                case BELOW -> order < 0;
                case AT_LEAST -> order >= 0;
                case ABOVE -> order > 0;
            };
            return fits || run.fail(at, "must be ", side.text, CanonicalJson.number(bound));
        }
    }

    record MultipleOf(BigDecimal divisor) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isNumber()) {
                return true;
            }
            BigDecimal exact = Numbers.exact(value);
            int digits = exact.precision() + divisor.precision() + Math.abs(exact.scale() - divisor.scale());
            run.spend(DECIMAL + digits);
            boolean fits = exact.remainder(divisor).signum() == 0;
            return fits || run.fail(at, "must be a multiple of ", CanonicalJson.number(divisor));
        }
    }

    /// `minLength` and `maxLength`, in code points.
    record Length(long least, long most) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            if (!value.isTextual()) {
                return true;
            }
            String text = value.textValue();
            run.spend(text.length() >> 4);
            int length = text.codePointCount(0, text.length());
            if (length < least) {
                return run.fail(at, "must have at least ", least, " characters, not ", length);
            }
            return length <= most || run.fail(at, "must have at most ", most, " characters, not ", length);
        }
    }

    record Matches(SafePattern pattern) implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            return !value.isTextual()
                    || search(run, pattern, value.textValue())
                    || run.fail(at, "must match the pattern ", Evaluation.foreign(pattern.toString(), 120));
        }
    }

    /// Pays for the search first: its cost is known, and it can't be stopped half-way.
    static boolean search(Evaluation run, SafePattern pattern, String text) {
        run.spend(1 + (((long) pattern.size() * text.length()) >> 1));
        return pattern.foundIn(text);
    }
}
