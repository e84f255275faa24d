package dev.postern.policy;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.policy.Decision.Allow;
import dev.postern.policy.Decision.Ask;
import dev.postern.policy.Decision.Reason;
import dev.postern.policy.Decision.Refuse;

/// The one decision function, used for offering tools and for calling them alike: what one lists, the other can
/// call. Nothing that a server says about itself takes part (CAT-5).
public final class Policy {
    private Policy() {}

    /// What `rule` says to a call of `tool` in `mode` (APR-1, APR-3, TSK-2).
    public static Decision decide(ServerRule rule, String tool, Mode mode) {
        if (!rule.enabled()) {
            return new Refuse(Reason.SERVER_DISABLED, disabled(rule.server()));
        }
        if (!rule.tools().contains(tool)) {
            return new Refuse(
                    Reason.NOT_ALLOWED,
                    new Problem(
                            ErrorCode.POLICY_NOT_ALLOWED,
                            "The tool \"" + tool + "\" is not in \"tools\" of the server \"" + rule.server()
                                    + "\". Nothing was sent.",
                            "See what it offers with `postern mcp discover " + rule.server()
                                    + "`, and add the exact name to \"tools\" in config.json if you want it."));
        }
        boolean reviewed = rule.scheduledTools().contains(tool);
        return switch (mode) {
            case COMMAND -> new Allow(Reason.EXPLICIT_COMMAND);
            case SCHEDULED -> reviewed ? new Allow(Reason.REVIEWED_READ_ONLY) : notScheduled(rule, tool);
            case CHAT, API -> {
                if (reviewed) {
                    yield new Allow(Reason.REVIEWED_READ_ONLY);
                }
                yield rule.autoApproved() ? new Allow(Reason.APPROVAL_AUTO) : new Ask(Reason.APPROVAL_ASK);
            }
        };
    }

    /// Why nothing at all is done with a disabled server.
    public static Problem disabled(String server) {
        return new Problem(
                ErrorCode.POLICY_DISABLED,
                "The server \"" + server + "\" is disabled. Nothing was started or sent.",
                "Set \"enabled\": true for it in config.json.");
    }

    private static Decision notScheduled(ServerRule rule, String tool) {
        return new Refuse(
                Reason.NOT_SCHEDULED,
                new Problem(
                        ErrorCode.POLICY_NOT_SCHEDULED,
                        "The tool \"" + tool + "\" is not in \"scheduledTools\" of the server \"" + rule.server()
                                + "\", and a scheduled run asks nobody. Nothing was sent.",
                        "Add it to \"scheduledTools\" if you have reviewed it as read-only."));
    }
}
