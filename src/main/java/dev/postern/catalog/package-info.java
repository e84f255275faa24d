/// Tool definitions: canonical form, digest, schema lint, validation, snapshot, model-facing definition. Pure.
///
/// Everything read here came from a server and is hostile until proved otherwise. What happens to it:
///
/// | Seen | Becomes |
/// |---|---|
/// | `tools` is no array, an entry is no object or has no text name | discovery fails: `discovery.invalid` |
/// | two entries with one name | discovery fails: `discovery.duplicate` |
/// | a cursor that was used before, or is no text | discovery fails: `discovery.cursor`, `discovery.invalid` |
/// | more pages, tools or bytes than the limits | discovery fails: `discovery.limit` |
/// | an allowed tool that is unfit | that tool alone is excluded, with an [ExclusionCode] and a sentence |
/// | a tool that is not allowed | listed by name and description, and otherwise not looked at |
/// | a description, `outputSchema` or `execution` that is JSON `null` | taken as absent |
/// | an annotation keyword (`title`, `format`, `readOnly`…) of any value | kept, never asserted |
/// | an instance beyond [InstanceBounds], or too much work to check | a violation, as any other |
///
/// Validation is done here and by no library, because limits alone don't make a library safe: with every schema
/// and argument limit kept, 400 alternatives over 30,000 array items make a general validator build millions of
/// messages that nobody reads. [CompiledSchema] builds none it does not return, and works under a budget.
@NullMarked
package dev.postern.catalog;

import org.jspecify.annotations.NullMarked;
