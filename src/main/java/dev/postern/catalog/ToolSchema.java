package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// A schema that instances can be checked against. Safe for use by many threads.
public interface ToolSchema {
    /// The violations of `instance`, at most 16 of them, empty when it conforms. Never converts, defaults or
    /// drops anything (MOD-3), never throws for what a peer or a caller sent, and settles quickly whatever they
    /// sent: what would take too long to check is a violation too. `1.0` is an integer, as the standard says;
    /// `format` is an annotation.
    List<Violation> validate(JsonNode instance);

    /// One place where an instance breaks the schema.
    ///
    /// @param pointer JSON pointer into the instance, empty for the whole; names in it are the sender's, and it
    ///     is cut at 1,000 characters with `…` at its end
    /// @param message a clause without a subject, such as `must be string, not integer`, of at most 400
    ///     characters; holds names of properties and what the schema says, but never values of the instance
    record Violation(String pointer, String message) {}
}
