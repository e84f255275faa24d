package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A schema or sub-schema as the checks it makes. Immutable; no path through it leads back to itself.
final class CompiledSchema {
    /// The schemas `true` and `false`.
    static final CompiledSchema ANYTHING = new CompiledSchema(List.of(), false);

    static final CompiledSchema NOTHING = new CompiledSchema(List.of(new Never()), false);

    private final Check[] checks;

    /// Whether one of the checks asks what the ones before it have looked at.
    private final boolean asks;

    private record Never() implements Check {
        @Override
        public boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
            return run.fail(at, "is not allowed here");
        }
    }

    CompiledSchema(List<Check> checks, boolean asks) {
        this.checks = checks.toArray(new Check[0]);
        this.asks = asks;
    }

    /// Whether `value` conforms. Stops at the first mismatch where only the answer matters; otherwise all
    /// checks are made, so that a person sees every violation at once.
    boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen) {
        run.spend(1 + checks.length);
        Evaluated mine = null;
        if (seen != null || asks) {
            run.spend(8);
            mine = new Evaluated();
        }
        boolean fits = true;
        for (Check check : checks) {
            if (!check.test(run, value, at, mine)) {
                fits = false;
                if (run.quiet()) {
                    return false;
                }
            }
        }
        if (fits && seen != null && mine != null) {
            run.spend(mine.size());
            seen.addAll(mine);
        }
        return fits;
    }

    /// Whether a value of this kind has a chance: false only when `type` rules it out.
    boolean mayBe(Kind kind) {
        for (Check check : checks) {
            if (check instanceof ValueChecks.Type type && !kind.in(type.mask())) {
                return false;
            }
        }
        return this != NOTHING;
    }
}
