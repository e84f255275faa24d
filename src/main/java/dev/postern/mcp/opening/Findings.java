package dev.postern.mcp.opening;

import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.mcp.PeerText;
import dev.postern.mcp.handshake.Handshake;
import dev.postern.mcp.stateless.Discovery;
import dev.postern.wire.Message;
import java.util.Collection;
import java.util.List;

/// Says why no session could be opened: what was seen, during what, and what to do about it.
final class Findings {
    /// A server may list any number of revisions; nobody reads more than a few.
    private static final int MAX_REVISIONS = 8;

    private static final String SEE_STDERR =
            "See what the server wrote to standard error (--show-stderr); its arguments or credentials may be wrong.";

    private final PeerText peerText;

    Findings(PeerText peerText) {
        this.peerText = peerText;
    }

    Problem noTime(Deadline startup) {
        return new Problem(
                ErrorCode.START_DEADLINE,
                "Over " + startup.describe() + " before the server could be started.",
                startup.howToRaise());
    }

    Problem silence(Collection<Question> unanswered, Deadline fired) {
        return new Problem(
                ErrorCode.START_DEADLINE,
                "The server did not answer " + methods(unanswered, "or") + " within " + fired.describe() + ".",
                fired.howToRaise() + " Also check that the command starts an MCP server that speaks on standard input"
                        + " and output.");
    }

    Problem ended(Problem reason, Collection<Question> unanswered) {
        return new Problem(
                reason.code(),
                withoutFullStop(reason.message()) + " (during the handshake: " + methods(unanswered, "and")
                        + " not answered).",
                reason.next());
    }

    Problem alsoAfresh(Problem second, Problem first) {
        if (second.code() == first.code()) {
            return second;
        }
        return new Problem(
                second.code(),
                withoutFullStop(second.message()) + "; this was a fresh process, since the first one ended on the"
                        + " protocol probe.",
                second.next());
    }

    Problem refused(String method, Message.Failure failure) {
        return new Problem(
                ErrorCode.START_REFUSED,
                "The server answered " + method + " with error " + failure.code() + ": "
                        + peerText.quote(failure.message()) + ".",
                SEE_STDERR);
    }

    Problem invalid(String method, String reason) {
        return new Problem(
                ErrorCode.WIRE_PROTOCOL,
                "The server's answer to " + method + " is not valid: " + reason + ".",
                "Check that the command starts an MCP server, and install a newer version of it.");
    }

    Problem notModern(Message.Response response, String reason) {
        return switch (response) {
            case Message.Failure failure -> refused(Discovery.METHOD, failure);
            case Message.Result _ -> invalid(Discovery.METHOD, reason);
        };
    }

    Problem otherRevision(String offered) {
        return version("The server answered initialize with protocol version " + peerText.quote(offered)
                + "; Postern asked for " + Handshake.REVISIONS.getFirst() + " and speaks " + spoken() + ".");
    }

    Problem otherRevisions(List<String> supported) {
        return version("The server supports protocol versions " + quoted(supported) + " without a handshake; Postern"
                + " speaks " + spoken() + ", of which only " + Discovery.REVISION + " works so.");
    }

    Problem refusesOwnRevision() {
        return version("The server refused protocol version " + Discovery.REVISION + " twice, though it says that it"
                + " supports it; Postern speaks " + spoken() + ".");
    }

    private static Problem version(String message) {
        return new Problem(
                ErrorCode.START_VERSION,
                message,
                "Install a version of the server that speaks one of these revisions.");
    }

    private static String spoken() {
        return Discovery.REVISION + ", " + String.join(", ", Handshake.REVISIONS);
    }

    private String quoted(List<String> versions) {
        if (versions.isEmpty()) {
            return "that it does not name";
        }
        var text = new StringBuilder();
        for (int i = 0; i < versions.size(); i++) {
            if (i == MAX_REVISIONS) {
                return text.append(" and ")
                        .append(versions.size() - i)
                        .append(" more")
                        .toString();
            }
            text.append(i == 0 ? "" : ", ").append(peerText.quote(versions.get(i)));
        }
        return text.toString();
    }

    private static String methods(Collection<Question> questions, String and) {
        var text = new StringBuilder();
        for (var question : questions) {
            text.append(text.isEmpty() ? "" : " " + and + " ").append(question.method());
        }
        return text.toString();
    }

    private static String withoutFullStop(String message) {
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
