package dev.postern.config;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import java.util.List;

/// What became of a configuration: all of it is accepted, or none.
public sealed interface ConfigResult {
    record Accepted(Config config, List<ConfigWarning> warnings) implements ConfigResult {
        public Accepted {
            warnings = List.copyOf(warnings);
        }
    }

    /// Nothing of it is used.
    ///
    /// @param problems by place; at least one
    /// @param omitted how many more there are
    record Rejected(List<ConfigProblem> problems, int omitted) implements ConfigResult {
        public Rejected {
            problems = List.copyOf(problems);
        }

        /// All of it as one problem, for faces that show one.
        public Problem problem() {
            int count = problems.size() + omitted;
            return new Problem(
                    ErrorCode.CONFIG_INVALID,
                    (count == 1
                                    ? "The configuration has a problem: "
                                    : "The configuration has " + count + " problems, the first: ")
                            + problems.getFirst().text() + ".",
                    "Correct it; `postern config check` lists every problem with its place.");
        }
    }
}
