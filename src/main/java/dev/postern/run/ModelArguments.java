package dev.postern.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.wire.StrictJson;

/// Reads the arguments that a model wrote, which may be anything (MOD-2, MOD-3). Nothing is converted, added or
/// dropped.
final class ModelArguments {
    private static final String INPUT = "input";

    private static final String HOW = "Give one JSON object that fits the schema of the tool.";

    private ModelArguments() {}

    /// The arguments of the tool.
    ///
    /// @param wrapped they stand as text in `input`
    /// @param text as the model wrote it; none at all is `{}` of a tool of ours
    static Answer<ObjectNode> read(boolean wrapped, String text) {
        return switch (StrictJson.parse(text.isBlank() ? "{}" : text)) {
            case StrictJson.Malformed malformed -> wrong("The arguments are not JSON: " + malformed.describe() + ".");
            case StrictJson.Valid(ObjectNode object) -> wrapped ? unwrapped(object) : new Answer.Here<>(object);
            case StrictJson.Valid other -> wrong("The arguments are no JSON object.");
        };
    }

    private static Answer<ObjectNode> unwrapped(ObjectNode object) {
        JsonNode input = object.get(INPUT);
        if (input == null || !input.isTextual() || object.size() != 1) {
            return wrong("The arguments must have exactly one member, \"" + INPUT
                    + "\", whose value is a string: the tool's own arguments as JSON text.");
        }
        return switch (StrictJson.parse(input.textValue())) {
            case StrictJson.Malformed malformed ->
                wrong("The text in \"" + INPUT + "\" is not JSON: " + malformed.describe() + ".");
            case StrictJson.Valid(ObjectNode arguments) -> new Answer.Here<>(arguments);
            case StrictJson.Valid other -> wrong("The text in \"" + INPUT + "\" is no JSON object.");
        };
    }

    private static Answer<ObjectNode> wrong(String what) {
        return new Answer.Not<>(new Problem(ErrorCode.ARGUMENTS_INVALID, what + " Nothing was sent.", HOW));
    }
}
