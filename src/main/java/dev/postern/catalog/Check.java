package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// One keyword, or a few that belong together, ready to test instances. Immutable.
interface Check {
    /// Whether `value` passes. A check tells why not through [Evaluation#fail], pays for its work with
    /// [Evaluation#spend], and passes every value of a type it does not speak about.
    ///
    /// @param seen where to note what was looked at, or null when nobody asks
    boolean test(Evaluation run, JsonNode value, At at, @Nullable Evaluated seen);
}
