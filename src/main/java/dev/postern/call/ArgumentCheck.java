package dev.postern.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.catalog.Tool;
import dev.postern.wire.JsonSize;
import org.jspecify.annotations.Nullable;

/// Checks arguments against the server's own schema and the limit, before anything is sent (MOD-3). They go out
/// as they came: nothing added, converted or dropped.
final class ArgumentCheck {
    private ArgumentCheck() {}

    /// What is wrong with `arguments`, every violation with its path, or null.
    static @Nullable Problem breach(String server, Tool tool, ObjectNode arguments, int limit) {
        long size = JsonSize.of(arguments);
        if (size > limit) {
            return new Problem(
                    ErrorCode.ARGUMENTS_LIMIT,
                    "The arguments take " + size + " bytes; the limit is " + limit + " (" + Limit.ARGUMENT_BYTES.key()
                            + "). Nothing was sent.",
                    "Send less, or raise " + Limit.ARGUMENT_BYTES.key() + " for the server \"" + server + "\" (at most "
                            + Limit.ARGUMENT_BYTES.ceiling() + ").");
        }
        var violations = tool.input().validate(arguments);
        if (violations.isEmpty()) {
            return null;
        }
        var message = new StringBuilder("The arguments break the input schema of \"")
                .append(tool.name())
                .append("\":");
        for (var violation : violations) {
            var pointer = violation.pointer();
            message.append(pointer.isEmpty() ? " " : " at \"" + pointer + "\": ")
                    .append(violation.message())
                    .append(';');
        }
        message.setLength(message.length() - 1);
        return new Problem(
                ErrorCode.ARGUMENTS_INVALID,
                message.append(". Nothing was sent.").toString(),
                "See what the tool takes with `postern mcp tools " + server + "`, and call again.");
    }
}
