package dev.postern.config;

import org.jspecify.annotations.Nullable;

/// What chats and runs of an agent need.
///
/// @param model null where none is configured
public record AgentSettings(@Nullable ModelSettings model, RunLimits run) {
    public static final AgentSettings STANDARD = new AgentSettings(null, RunLimits.STANDARD);
}
