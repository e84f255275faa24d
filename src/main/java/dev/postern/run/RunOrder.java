package dev.postern.run;

import dev.postern.policy.Mode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What somebody wants a model to do.
///
/// @param prompt the owner's words
/// @param session null for a run outside of any
/// @param allowed calls that need no further approval: the command named them (APR-1)
public record RunOrder(Mode mode, String prompt, @Nullable Session session, Set<AllowedTool> allowed) {
    public RunOrder {
        allowed = Set.copyOf(allowed);
    }

    /// The session that the run belongs to.
    public sealed interface Session {
        record New() implements Session {}

        /// One that exists, by its whole id.
        record Continued(String id) implements Session {}
    }

    /// A tool by its exact name.
    public record AllowedTool(String server, String tool) {}
}
